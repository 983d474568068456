import assert from 'node:assert/strict';
import { createHash, createPrivateKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkCms } from '../../src/evidence/cms/check-cms.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import type { Trust, TrustAnchor } from '../../src/evidence/trust.ts';
import { contentOf } from './content-of.ts';
import { algorithm, attribute, craftCms, der } from './craft-cms.ts';
import { asnTime, AUTHORITY, OpensslAuthority, SIGNER, STAMPER } from './openssl-authority.ts';
import { CORPUS } from './signed-corpus.ts';
import { trustOf } from './trust-of.ts';

const { signal } = new AbortController();
const DAY = 24 * 60 * 60 * 1000;
const soon = new Date(Date.now() + 60_000);
const daysLater = (days: number): Date => new Date(soon.getTime() + days * DAY);
const DOCUMENT = 'Two cartons, one of them wet.';
const SIGNING_TIME = '1.2.840.113549.1.9.5';
const SIGNATURE_TIME_STAMP = '1.2.840.113549.1.9.16.2.14';

const pki = new OpensslAuthority();
const root = pki.issue('root', { extensions: AUTHORITY, days: 90 });
pki.issue('signer', { extensions: SIGNER, issuer: 'root', days: 10, serial: 0x77 });
pki.issue('stamper', { extensions: STAMPER, issuer: 'root', days: 60 });
const forStamps: Partial<TrustAnchor> = { kind: 'certificate', purpose: 'timestamp', pem: root };

/** A signature that says it was made at a time, with a token over it, or over something else. */
function craft(stated: Date, over: 'itself' | 'another' | 'nothing'): Buffer {
  return craftCms({
    signer: pki.certificate('signer'),
    key: createPrivateKey(pki.text('signer.key')),
    digestAlgorithm: algorithm('2.16.840.1.101.3.4.2.1'),
    messageDigest: createHash('sha256').update(DOCUMENT).digest(),
    signatureAlgorithm: algorithm('1.2.840.10045.4.3.2'),
    hash: 'sha256',
    signedAttributes: [attribute(SIGNING_TIME, der(0x17, Buffer.from(asnTime(stated))))],
    ...(over === 'nothing'
      ? {}
      : { unsignedAttributes: (signature) => [stampOver(over === 'itself' ? signature : Buffer.from('x'))] }),
  });
}

function stampOver(bytes: Buffer): Buffer {
  pki.write('signature', bytes);
  pki.write('answer', pki.stamp('signature', 'stamper'));
  pki.run('ts', '-reply', '-in', 'answer', '-token_out', '-out', 'token.tst');
  return attribute(SIGNATURE_TIME_STAMP, pki.bytes('token.tst'));
}

async function check(envelope: Buffer, given: Partial<Trust> = {}): Promise<SignatureReport> {
  const trust = { ...trustOf([root, forStamps]), judgedAt: soon, ...given };
  const [report] = await checkCms({ der: envelope, content: contentOf(DOCUMENT), trust, signal });
  assert.ok(report);
  return report;
}

function inShort({ status, signedAtBy, findings }: SignatureReport): string {
  return [status, signedAtBy, ...findings].join(' ');
}

test('a trusted time-stamp says when it was signed, whatever the signer says', async () => {
  const envelope = craft(daysLater(-900), 'itself');
  const report = await check(envelope);
  assert.equal(inShort(report), 'valid timestamp');
  assert.ok(Math.abs(Date.parse(report.signedAt ?? '') - Date.now()) < 600_000);
  assert.equal(
    inShort(await check(envelope, { judgedAt: daysLater(20) })),
    'expired_valid_at_signing timestamp',
  );
});

test('without one the word of the signer counts', async () => {
  const late = { judgedAt: daysLater(20) };
  assert.equal(inShort(await check(craft(daysLater(0), 'nothing'), late)), 'expired_valid_at_signing signer');
  assert.equal(inShort(await check(craft(daysLater(12), 'nothing'), late)), 'expired signer');
});

test('a time-stamp that leads to no anchor for time-stamps does not count', async () => {
  const report = await check(craft(daysLater(0), 'itself'), trustOf([root], { judgedAt: soon }));
  assert.equal(inShort(report), 'valid signer TIMESTAMP_UNTRUSTED');
});

test('a time-stamp over another signature, or what is none, does not count and is said', async () => {
  const other = await check(craft(daysLater(0), 'another'));
  assert.equal(inShort(other), 'valid signer TIMESTAMP_BROKEN');
});

test('a signature that was time-stamped before its certificate was revoked stays what it was', async () => {
  const revocationLists = [pki.revoke('root', [['77', asnTime(daysLater(1))]])];
  const judgedAt = daysLater(2);
  const stamped = await check(craft(daysLater(0), 'itself'), { revocationLists, judgedAt });
  assert.equal(inShort(stamped), 'valid timestamp REVOKED_AFTER_SIGNING');
  const stated = await check(craft(daysLater(0), 'nothing'), { revocationLists, judgedAt });
  assert.equal(inShort(stated), 'revoked signer CERTIFICATE_REVOKED');
});

const modified = join(CORPUS, 'signed/cms-dss/dss-1220_CAdES-BpT_modified_ts_hash.p7m');
const skip = existsSync(modified) ? false : `there is no corpus at ${CORPUS}; DOCKET_CORPUS says where it is`;
test('the altered time-stamp of the corpus is broken', { skip }, async () => {
  assert.ok((await check(readFileSync(modified))).findings.includes('TIMESTAMP_BROKEN'));
});
