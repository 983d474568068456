import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { checkEnvelope } from '../../src/evidence/check-envelope.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import { contentOf } from './content-of.ts';
import { inShort } from './signed-corpus.ts';
import { trustOf } from './trust-of.ts';

const DOCUMENT = Buffer.from('Received in good order: 12 pallets.');
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Signs a header of sigD over what it says that the payload is, by the rules of JWS alone. */
async function check(sigD: object, payload: string | Buffer, more: object = {}): Promise<SignatureReport> {
  const header = { alg: 'ES256', sigT: '2026-11-30T10:00:00Z', sigD, crit: ['sigT', 'sigD'], ...more };
  const start = Buffer.from(JSON.stringify(header)).toString('base64url');
  const input = Buffer.concat([Buffer.from(`${start}.`), Buffer.from(payload)]);
  const signature = sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const [report] = await checkEnvelope(
    Buffer.from(`${start}..${signature.toString('base64url')}`),
    contentOf(DOCUMENT),
    trustOf([publicKey]),
    new AbortController().signal,
  );
  return report!;
}

const sha512 = (bytes: string | Buffer): string => createHash('sha512').update(bytes).digest('base64url');
const BY_HASH = 'http://uri.etsi.org/19182/ObjectIdByURIHash';
const BY_URI = 'http://uri.etsi.org/19182/ObjectIdByURI';
const ENCODED = DOCUMENT.toString('base64url');

test('a document among several that are signed by their digests is signed as a whole', async () => {
  const sigD = { mId: BY_HASH, pars: ['a', 'b'], hashM: 'S512', hashV: [sha512('other'), sha512(ENCODED)] };
  const report = await check(sigD, '');
  assert.equal(inShort(report), 'valid, intact, digest matches, whole_document');
  assert.deepEqual([report.signedAt, report.signedAtBy], ['2026-11-30T10:00:00.000Z', 'signer']);
  assert.equal(report.details['payload'], 'by_digest');
});

test('an intact signature by digests of other documents is invalid for this one', async () => {
  const sigD = { mId: BY_HASH, pars: ['a'], hashM: 'S512', hashV: [sha512('other')] };
  assert.equal(inShort(await check(sigD, '')), 'invalid, intact, digest differs, no coverage');
});

test('digests are those of base64url, or with b64 false of the bytes themselves, and never the other', async () => {
  const ofBytes = { mId: BY_HASH, pars: ['a'], hashM: 'S512', hashV: [sha512(DOCUMENT)] };
  assert.equal((await check(ofBytes, '')).status, 'invalid');
  const unencoded = { b64: false, crit: ['sigT', 'sigD', 'b64'] };
  assert.equal((await check(ofBytes, '', unencoded)).status, 'valid');
});

test('a document that is named alone is the payload; named among others it is not known how', async () => {
  assert.equal((await check({ mId: BY_URI, pars: ['a'] }, ENCODED)).status, 'valid');
  const report = await check({ mId: BY_URI, pars: ['a', 'b'] }, ENCODED);
  assert.equal(inShort(report), 'unsupported, intact unknown, digest unknown, no coverage');
});
