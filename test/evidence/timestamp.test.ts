import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkEnvelope } from '../../src/evidence/check-envelope.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import type { Trust, TrustAnchor } from '../../src/evidence/trust.ts';
import { contentOf } from './content-of.ts';
import { AUTHORITY, OpensslAuthority, STAMPER } from './openssl-authority.ts';
import { inShort } from './signed-corpus.ts';
import { trustOf } from './trust-of.ts';

const { signal } = new AbortController();
const DAY = 24 * 60 * 60 * 1000;
const soon = new Date(Date.now() + 60_000);
const DOCUMENT = 'Two cartons, one of them wet.';
const VALID = 'valid, intact, digest matches, whole_document';

const pki = new OpensslAuthority();
pki.write('document', DOCUMENT);
const root = pki.issue('root', { extensions: AUTHORITY, days: 90 });
pki.issue('stamper', { extensions: STAMPER, issuer: 'root' });
const forStamps: Partial<TrustAnchor> = { kind: 'certificate', purpose: 'timestamp', pem: root };
const answer = pki.stamp('document', 'stamper');

async function check(
  envelope: Buffer,
  given: Partial<Trust> & { document?: string } = {},
): Promise<SignatureReport> {
  const trust = { ...trustOf([forStamps]), judgedAt: soon, ...given };
  const [report, ...others] = await checkEnvelope(
    envelope,
    contentOf(given.document ?? DOCUMENT),
    trust,
    signal,
  );
  assert.ok(report && others.length === 0);
  return report;
}

/** The time that openssl reads in an answer. */
function statedTime(): number {
  pki.write('shown.tsr', answer);
  const text = pki.run('ts', '-reply', '-in', 'shown.tsr', '-text').toString();
  return Date.parse(/Time stamp: (.*)/.exec(text)?.[1] ?? '');
}

test('an answer of an authority, and the token in it, say when the bytes were there, and that nobody signed them', async () => {
  pki.write('shown.tsr', answer);
  pki.run('ts', '-reply', '-in', 'shown.tsr', '-token_out', '-out', 'token.tst');
  for (const envelope of [answer, pki.bytes('token.tst')]) {
    const report = await check(envelope);
    assert.equal(inShort(report), VALID);
    assert.deepEqual(
      [
        report.format,
        report.purpose,
        report.signer,
        report.signedAt,
        report.signedAtBy,
        report.details['policy'],
      ],
      [
        'timestamp',
        'timestamp',
        'CN=stamper,O=Depot',
        new Date(statedTime()).toISOString(),
        'timestamp',
        '1.2.3.4',
      ],
    );
  }
});

test('a time-stamp over other bytes is intact, and not of this document', async () => {
  assert.equal(
    inShort(await check(answer, { document: 'x' })),
    'invalid, intact, digest differs, no coverage',
  );
});

test('the digest of a time-stamp may be one of several; SHA-1 proves nothing', async () => {
  assert.equal(inShort(await check(pki.stamp('document', 'stamper', '-sha512'))), VALID);
  const weak = await check(pki.stamp('document', 'stamper', '-sha1'));
  assert.equal(inShort(weak), 'weak_algorithm, intact, digest matches, whole_document');
});

test('an answer without a time-stamp says that it was refused', async () => {
  const refusal = pki.stamp('document', 'stamper', '-md5'); // None of the digests that the authority takes.
  const report = await check(refusal);
  assert.deepEqual([report.status, report.findings], ['malformed', ['TIMESTAMP_REFUSED']]);
});

test('an authority is trusted by anchors for time-stamps only, which may be its mere key', async () => {
  const unknown = 'unknown_signer, intact, digest matches, whole_document';
  const signerAnchors = trustOf([root], { judgedAt: soon });
  assert.equal(inShort(await check(answer, signerAnchors)), unknown);
  const byKey: Partial<TrustAnchor> = { purpose: 'timestamp', pem: pki.text('stamper.pub.pem') };
  assert.equal(inShort(await check(answer, trustOf([byKey], { judgedAt: soon }))), VALID);
});

test('the certificate of an authority is judged for the time of the check', async () => {
  const late = await check(answer, { judgedAt: new Date(soon.getTime() + 40 * DAY) });
  assert.deepEqual([late.status, late.signedAtBy], ['expired_valid_at_signing', 'signer']);
  const early = await check(answer, { judgedAt: new Date(soon.getTime() - 2 * DAY) });
  assert.equal(early.status, 'not_yet_valid');
});

test('whichever bit of an answer is flipped, it says nothing else that would be believed', async () => {
  const original = await check(answer);
  for (let at = 0; at < answer.length; at += 1) {
    const flipped = Buffer.from(answer);
    flipped[at]! ^= 1 << (at % 8);
    const report = await check(flipped);
    if (report.status === 'valid') assert.deepEqual(report, original);
  }
});
