import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkEnvelope } from '../../src/evidence/check-envelope.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import { contentOf } from './content-of.ts';
import { trustOf } from './trust-of.ts';

const CORPUS = process.env['DOCKET_CORPUS'] ?? '../shared/corpus';
const FILE = join(CORPUS, 'signed/jades/jades-lta-broken-arcTst.json');
const options = {
  skip: existsSync(FILE) ? false : `there is no ${FILE}; DOCKET_CORPUS says where the corpus is`,
};

interface Envelope {
  readonly protected: string;
  readonly header: { readonly etsiU: readonly string[] };
}
interface Added {
  readonly sigTst?: unknown;
  readonly arcTst?: unknown;
  readonly xVals?: readonly { readonly x509Cert: { readonly val: string } }[];
}

function decode(text: string): unknown {
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}

/** Checks the file for a time at which its certificates were valid, with other parts added to it. */
async function check(
  added: (parts: readonly Added[]) => unknown[],
  trustsAuthority = true,
): Promise<SignatureReport> {
  const envelope = JSON.parse(readFileSync(FILE, 'utf8')) as Envelope;
  const parts = envelope.header.etsiU.map((part) => decode(part) as Added);
  const { x5c } = decode(envelope.protected) as { x5c: string[] };
  const root = parts.flatMap(({ xVals }) => xVals ?? [])[0]!.x509Cert.val;
  const pem = (base64: string): string => new X509Certificate(Buffer.from(base64, 'base64')).toString();
  const authority = { kind: 'certificate', purpose: 'timestamp', pem: pem(root) } as const;
  const [report] = await checkEnvelope(
    Buffer.from(JSON.stringify({ ...envelope, header: { etsiU: added(parts) } })),
    contentOf('{ "title": "Hello World!" }'),
    trustOf([pem(x5c[1]!), ...(trustsAuthority ? [authority] : [])], { judgedAt: new Date('2021-03-01') }),
    new AbortController().signal,
  );
  return report!;
}

const stamps = (parts: readonly Added[]): Added[] => parts.filter(({ sigTst }) => sigTst !== undefined);

test('a trusted time-stamp over a JAdES signature says when it was signed', options, async () => {
  const report = await check(stamps);
  assert.equal(report.status, 'valid');
  assert.deepEqual(
    [report.signedAt, report.signedAtBy, report.findings],
    ['2021-01-25T10:15:01.000Z', 'timestamp', []],
  );
});

test('a time-stamp of an authority that is not trusted leaves the time to the signer', options, async () => {
  const report = await check(stamps, false);
  assert.equal(report.status, 'valid');
  assert.deepEqual(
    [report.signedAt, report.signedAtBy, report.findings],
    ['2021-01-25T10:15:00.000Z', 'signer', ['TIMESTAMP_UNTRUSTED']],
  );
});

test('a time-stamp over something else is broken, and what cannot be read is named', options, async () => {
  const report = await check((parts) => [
    { sigTst: parts.find(({ arcTst }) => arcTst !== undefined)!.arcTst },
    'no base64!',
  ]);
  assert.equal(report.status, 'valid');
  assert.deepEqual(
    [report.signedAtBy, report.findings],
    ['signer', ['UNSIGNED_PROPERTIES_NOT_CHECKED', 'TIMESTAMP_BROKEN']],
  );
});
