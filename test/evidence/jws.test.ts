import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import {
  calculateJwkThumbprint,
  exportJWK,
  FlattenedSign,
  GeneralSign,
  type JWSHeaderParameters,
} from 'jose';
import { checkEnvelope } from '../../src/evidence/check-envelope.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import type { Trust } from '../../src/evidence/trust.ts';
import { contentOf } from './content-of.ts';
import { inShort } from './signed-corpus.ts';
import { trustOf } from './trust-of.ts';

const DOCUMENT = Buffer.from('Received in good order: 12 pallets. ä\n');
const WHOLE = 'valid, intact, digest matches, whole_document';
const { signal } = new AbortController();

const carrier = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const consignee = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** A flattened JWS as jose makes it; without the payload, if it is to be detached. */
async function signed(
  key: KeyObject,
  header: JWSHeaderParameters,
  { isDetached = true, document = DOCUMENT } = {},
): Promise<Record<string, string>> {
  const { payload, ...jws } = await new FlattenedSign(document).setProtectedHeader(header).sign(key);
  return { protected: jws.protected!, signature: jws.signature, ...(isDetached ? {} : { payload }) };
}

async function check(
  envelope: unknown,
  trust: Trust,
  document = DOCUMENT,
): Promise<readonly SignatureReport[]> {
  const text = typeof envelope === 'string' ? envelope : JSON.stringify(envelope);
  return checkEnvelope(Buffer.from(text), contentOf(document), trust, signal);
}

async function checkOne(envelope: unknown, trust: Trust, document = DOCUMENT): Promise<SignatureReport> {
  const reports = await check(envelope, trust, document);
  assert.equal(reports.length, 1);
  return reports[0]!;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const trusted = trustOf([carrier.publicKey, consignee.publicKey]);

const ALGORITHMS: readonly [string, { readonly publicKey: KeyObject; readonly privateKey: KeyObject }][] = [
  ['ES256', carrier],
  ['ES384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
  ['ES512', generateKeyPairSync('ec', { namedCurve: 'P-521' })],
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'].map((name) => [name, consignee] as const),
  ['EdDSA', generateKeyPairSync('ed25519')],
  ['Ed25519', generateKeyPairSync('ed25519')],
] as [string, typeof carrier][];

for (const [alg, { publicKey, privateKey }] of ALGORITHMS) {
  test(`what jose signs by ${alg} is valid detached, embedded, unencoded and compact, and invalid over another document`, async () => {
    const trust = trustOf([publicKey]);
    const detached = await signed(privateKey, { alg });
    const unencoded = await signed(privateKey, { alg, b64: false, crit: ['b64'] });
    const embedded = await signed(privateKey, { alg }, { isDetached: false });
    const compact = (payload: string): string =>
      `${detached['protected']}.${payload}.${detached['signature']}`;
    for (const envelope of [
      detached,
      unencoded,
      embedded,
      compact(''),
      `${compact(embedded['payload']!)}\n`,
    ]) {
      assert.equal(inShort(await checkOne(envelope, trust)), WHOLE);
    }
    for (const envelope of [detached, unencoded, compact('')]) {
      const report = await checkOne(envelope, trust, Buffer.from('Received: 13 pallets.'));
      assert.equal(inShort(report), 'invalid, intact unknown, digest unknown, no coverage');
      assert.deepEqual(report.findings, ['NO_KEY_FITS']);
    }
  });
}

test('the signer is the trusted key that fits, whatever the key id and the other keys', async () => {
  const kid = await calculateJwkThumbprint(await exportJWK(consignee.publicKey));
  const report = await checkOne(await signed(carrier.privateKey, { alg: 'ES256', kid }), trusted);
  assert.equal(inShort(report), WHOLE);
  assert.equal(report.anchorId, 1);
  assert.equal(report.signer, 'Depot key');
  assert.equal(report.details['kid'], kid);
});

test('an intact signature over another document says both: it is intact, and the digest differs', async () => {
  const embedded = await signed(carrier.privateKey, { alg: 'ES256' }, { isDetached: false });
  const report = await checkOne(embedded, trusted, Buffer.from('Received: 13 pallets.'));
  assert.equal(inShort(report), 'invalid, intact, digest differs, no coverage');
  assert.deepEqual(report.findings, ['CONTENT_NOT_THE_DOCUMENT']);
});

test('a key that lies in the envelope makes nobody trusted', async () => {
  const header = { alg: 'ES256', jwk: await exportJWK(stranger.publicKey) };
  const report = await checkOne(await signed(stranger.privateKey, header), trusted);
  assert.equal(inShort(report), 'unknown_signer, intact, digest matches, whole_document');
  assert.equal(report.anchorId, null);
  const known = await checkOne(await signed(stranger.privateKey, header), trustOf([stranger.publicKey]));
  assert.equal(inShort(known), WHOLE);
});

test('a signature that no trusted key could have made is from an unknown signer, and nothing is known of it', async () => {
  const detached = await signed(carrier.privateKey, { alg: 'ES256' });
  for (const trust of [trustOf([]), trustOf([consignee.publicKey])]) {
    const report = await checkOne(detached, trust);
    assert.equal(inShort(report), 'unknown_signer, intact unknown, digest unknown, no coverage');
    assert.deepEqual(report.findings, ['KEY_UNKNOWN']);
  }
});

test('anchors for time-stamps make no signers', async () => {
  const pem = carrier.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const report = await checkOne(
    await signed(carrier.privateKey, { alg: 'ES256' }),
    trustOf([{ pem, purpose: 'timestamp' }]),
  );
  assert.equal(report.status, 'unknown_signer');
});

test('an anchor counts from when until when it is believed', async () => {
  const pem = carrier.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const until = new Date('2026-11-01T00:00:00Z');
  const jws = (iat?: number): Promise<unknown> =>
    signed(carrier.privateKey, { alg: 'ES256', ...(iat === undefined ? {} : { iat }) });
  const expired = trustOf([{ pem, validUntil: until }]);
  const tooEarly = trustOf([{ pem, validFrom: new Date('2027-01-01T00:00:00Z') }]);
  assert.equal((await checkOne(await jws(), expired)).status, 'expired');
  assert.equal((await checkOne(await jws(), tooEarly)).status, 'not_yet_valid');
  const before = await checkOne(await jws(1_793_491_199), expired);
  assert.equal(before.status, 'expired_valid_at_signing');
  assert.deepEqual([before.signedAt, before.signedAtBy], ['2026-10-31T23:59:59.000Z', 'signer']);
  assert.equal((await checkOne(await jws(1_793_491_201), expired)).status, 'expired');
});

test('of two signatures with one broken each has its own report', async () => {
  const jws = await new GeneralSign(DOCUMENT)
    .addSignature(carrier.privateKey)
    .setProtectedHeader({ alg: 'ES256' })
    .addSignature(consignee.privateKey)
    .setProtectedHeader({ alg: 'PS256' })
    .sign();
  assert.deepEqual((await check(jws, trusted)).map(inShort), [WHOLE, WHOLE]);
  const [first, second] = jws.signatures as [{ signature: string }, { signature: string }];
  const broken = Buffer.from(second.signature, 'base64url');
  broken[100]! ^= 1;
  const signatures = [first, { ...second, signature: broken.toString('base64url') }];
  assert.deepEqual((await check({ ...jws, signatures }, trusted)).map(inShort), [
    WHOLE,
    'invalid, intact unknown, digest matches, whole_document',
  ]);
});

test('the algorithm none and HMAC with the public key prove nothing', async () => {
  const pem = carrier.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const payload = DOCUMENT.toString('base64url');
  const none = `${encode({ alg: 'none' })}.${payload}.`;
  const start = `${encode({ alg: 'HS256' })}.${payload}`;
  const hmac = `${start}.${createHmac('sha256', pem).update(start).digest('base64url')}`;
  for (const envelope of [none, hmac]) {
    const report = await checkOne(envelope, trusted);
    assert.equal(inShort(report), 'weak_algorithm, intact unknown, digest matches, whole_document');
    assert.deepEqual(report.findings, ['ALGORITHM_WEAK']);
  }
});

test('an RSA key of 1024 bits proves nothing', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const start = `${encode({ alg: 'RS256' })}.${DOCUMENT.toString('base64url')}`;
  const signature = sign('sha256', Buffer.from(start), privateKey).toString('base64url');
  const report = await checkOne(`${start}.${signature}`, trustOf([publicKey]));
  assert.equal(inShort(report), 'weak_algorithm, intact, digest matches, whole_document');
  assert.deepEqual(report.findings, ['KEY_SHORT']);
});

test('what has to be understood and is not leaves a signature unsupported', async () => {
  const cases: [object, string][] = [
    [{ alg: 'ES256', crit: ['exp'], exp: 1 }, 'CRITICAL_HEADER_UNKNOWN'],
    [{ alg: 'ES999' }, 'ALGORITHM_UNKNOWN'],
    [{ alg: 'NONE' }, 'ALGORITHM_UNKNOWN'],
    [{ alg: 'ES256', sigD: { mId: 'urn:other', pars: ['a'] }, crit: ['sigD'] }, 'SIGNED_OBJECTS_UNKNOWN'],
  ];
  for (const [header, finding] of cases) {
    const report = await checkOne(`${encode(header)}..AAAA`, trusted);
    assert.deepEqual([report.status, report.isIntact, report.findings], ['unsupported', null, [finding]]);
  }
});

test('what cannot be read without doubt is malformed', async () => {
  const good = await signed(carrier.privateKey, { alg: 'ES256' });
  const twice = Buffer.from('{"alg":"ES256","\\u0061lg":"none"}').toString('base64url');
  const cases: [unknown, string][] = [
    ['{"payload":', 'JSON_INVALID'],
    ['{}', 'FIELD_INVALID'],
    [{ signatures: [] }, 'NO_SIGNATURES'],
    [{ signatures: Array.from({ length: 21 }, () => good) }, 'SIGNATURES_TOO_MANY'],
    [{ ...good, signatures: [good] }, 'FIELD_INVALID'],
    [
      `{"signature":"","signature":${JSON.stringify(good['signature'])},"protected":"${good['protected']!}"}`,
      'JSON_INVALID',
    ],
    [{ ...good, signature: 'no base64!' }, 'BASE64_INVALID'],
    [{ ...good, payload: 'AB=' }, 'BASE64_INVALID'],
    [{ ...good, header: { alg: 'none' } }, 'FIELD_INVALID'],
    [{ ...good, header: { b64: false } }, 'FIELD_INVALID'],
    [`${twice}..AAAA`, 'JSON_INVALID'],
    [`${encode({ kid: 'no algorithm' })}..AAAA`, 'FIELD_INVALID'],
    [`${encode({ alg: 'ES256', b64: false })}..AAAA`, 'FIELD_INVALID'],
    [`${encode({ alg: 'ES256', crit: [] })}..AAAA`, 'FIELD_INVALID'],
    [`${encode({ alg: 'ES256', crit: ['missing'] })}..AAAA`, 'FIELD_INVALID'],
    [`${encode({ alg: 'ES256', jwk: { kty: 'EC' } })}..AAAA`, 'KEY_INVALID'],
    [`${encode({ alg: 'ES256', x5c: ['AAAA'] })}..AAAA`, 'CERTIFICATE_INVALID'],
  ];
  for (const [envelope, finding] of cases) {
    const report = await checkOne(envelope, trusted);
    assert.deepEqual([report.format, report.status, report.findings], ['jws', 'malformed', [finding]]);
  }
});

test('bytes of no format are malformed, and of an unknown format', async () => {
  for (const envelope of ['', 'hello', '\0\x01\x02', '[]']) {
    const report = await checkOne(envelope, trusted);
    assert.deepEqual(
      [report.format, report.status, report.findings],
      ['unknown', 'malformed', ['FORMAT_UNKNOWN']],
    );
  }
});
