import assert from 'node:assert/strict';
import { constants, createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { checkEnvelope } from '../../src/evidence/check-envelope.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import type { Trust } from '../../src/evidence/trust.ts';
import { contentOf } from './content-of.ts';
import { inShort } from './signed-corpus.ts';
import { trustOf } from './trust-of.ts';

const WHOLE = 'valid, intact, digest matches, whole_document';
const TYPE = 'application/vnd.scan+ä';
const DOCUMENT = Buffer.from('Received: 12 pallets. ä');
/** Counted by hand: the type has 23 bytes, the document 24. */
const SIGNED = Buffer.from('DSSEv1 23 application/vnd.scan+ä 24 Received: 12 pallets. ä');

const carrier = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const consignee = generateKeyPairSync('ed25519');
const trusted = trustOf([carrier.publicKey, consignee.publicKey]);

interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly sig: string; readonly keyid?: string }[];
}

function envelope(signatures: readonly Buffer[], payload = DOCUMENT, payloadType = TYPE): Envelope {
  return {
    payload: payload.toString('base64'),
    payloadType,
    signatures: signatures.map((sig) => ({ sig: sig.toString('base64') })),
  };
}

async function check(given: object, trust: Trust, document = DOCUMENT): Promise<readonly SignatureReport[]> {
  const { signal } = new AbortController();
  return checkEnvelope(Buffer.from(JSON.stringify(given)), contentOf(document), trust, signal);
}

const SIGNERS: Readonly<Record<string, [KeyObject, Buffer]>> = {
  'ECDSA as DER': [carrier.publicKey, sign('sha256', SIGNED, carrier.privateKey)],
  'ECDSA as two numbers': [
    carrier.publicKey,
    sign('sha256', SIGNED, { key: carrier.privateKey, dsaEncoding: 'ieee-p1363' }),
  ],
  Ed25519: [consignee.publicKey, sign(null, SIGNED, consignee.privateKey)],
  ...rsa(),
};

function rsa(): Record<string, [KeyObject, Buffer]> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return {
    'RSA PKCS #1': [publicKey, sign('sha256', SIGNED, privateKey)],
    'RSA PSS': [publicKey, sign('sha256', SIGNED, { key: privateKey, padding, saltLength: 32 })],
    'RSA PSS with the longest salt': [
      publicKey,
      sign('sha256', SIGNED, { key: privateKey, padding, saltLength: constants.RSA_PSS_SALTLEN_MAX_SIGN }),
    ],
  };
}

for (const [name, [publicKey, signature]] of Object.entries(SIGNERS)) {
  test(`a signature by ${name} over type and document is valid, and over another type or document is not`, async () => {
    const trust = trustOf([publicKey]);
    const [report] = await check(envelope([signature]), trust);
    assert.equal(inShort(report!), WHOLE);
    const [otherType] = await check(envelope([signature], DOCUMENT, 'text/plain'), trust);
    assert.equal(inShort(otherType!), 'invalid, intact unknown, digest matches, whole_document');
    const [otherDocument] = await check(envelope([signature]), trust, Buffer.from('Received: 13.'));
    assert.equal(inShort(otherDocument!), 'invalid, intact, digest differs, no coverage');
  });
}

test("the protocol's own test vector is valid", async () => {
  const vector = {
    payload: 'aGVsbG8gd29ybGQ=',
    payloadType: 'http://example.com/HelloWorld',
    signatures: [
      { sig: 'A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIAriEGAHTVeCUjW2JIZA==' },
    ],
  };
  const key = {
    kty: 'EC',
    crv: 'P-256',
    x: 'Z805D3eqNZywjCI19lInBJOp7YMrCrzAH3CVTAOQ0jg',
    y: 'DHgr1U4mkSWkT0Qzr_FDLOlOErynOqZ6yAzqEmCN33Q',
  };
  const [report] = await check(vector, trustOf([key]), Buffer.from('hello world'));
  assert.equal(inShort(report!), WHOLE);
});

test('of two signatures with one broken each has its own report, whatever its key id', async () => {
  const [, good] = SIGNERS['ECDSA as DER']!;
  const broken = Buffer.from(SIGNERS['Ed25519']![1]);
  broken[10]! ^= 1;
  const both = envelope([good, broken]);
  const lying = { ...both, signatures: both.signatures.map((each) => ({ ...each, keyid: 'the same' })) };
  const reports = await check(lying, trusted);
  assert.deepEqual(reports.map(inShort), [WHOLE, 'invalid, intact unknown, digest matches, whole_document']);
  assert.deepEqual(
    reports.map(({ anchorId, algorithm, details }) => [anchorId, algorithm, details['keyid']]),
    [
      [1, 'ES256', 'the same'],
      [null, null, 'the same'],
    ],
  );
});

/** A statement of in-toto, signed. */
function statement(subject: readonly object[]): Envelope {
  const payload = Buffer.from(
    JSON.stringify({
      _type: 'https://in-toto.io/Statement/v1',
      subject,
      predicateType: 'https://example.com/delivery/v1',
      predicate: {},
    }),
  );
  const type = 'application/vnd.in-toto+json';
  const input = Buffer.concat([Buffer.from(`DSSEv1 28 ${type} ${String(payload.length)} `), payload]);
  return envelope([sign('sha256', input, carrier.privateKey)], payload, type);
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test('a statement about the document by its SHA-256 covers the whole of it, one about others does not', async () => {
  const others = { name: 'other', digest: { sha256: sha256(Buffer.from('other')) } };
  const ours = { name: 'scan', digest: { sha512: 'unused', sha256: sha256(DOCUMENT).toUpperCase() } };
  const [report] = await check(statement([others, ours]), trusted);
  assert.equal(inShort(report!), WHOLE);
  assert.equal(report!.details['predicateType'], 'https://example.com/delivery/v1');
  const [about] = await check(statement([others]), trusted);
  assert.equal(inShort(about!), 'invalid, intact, digest differs, no coverage');
  const [unnamed] = await check(statement([{ digest: { sha512: 'unused' } }]), trusted);
  assert.equal(inShort(unnamed!), 'unsupported, intact, digest unknown, no coverage');
});

test('what cannot be read as an envelope is malformed', async () => {
  const [, signature] = SIGNERS['ECDSA as DER']!;
  const good = envelope([signature]);
  const cases: [object, string][] = [
    [{ ...good, payload: undefined }, 'FIELD_INVALID'],
    [{ ...good, payload: 'A' }, 'BASE64_INVALID'],
    [{ ...good, signatures: [] }, 'NO_SIGNATURES'],
    [{ ...good, signatures: [{ sig: '*' }] }, 'BASE64_INVALID'],
    [{ ...good, signatures: Array.from({ length: 21 }, () => good.signatures[0]) }, 'SIGNATURES_TOO_MANY'],
    [{ ...good, payloadType: 'application/vnd.in-toto+json' }, 'FIELD_INVALID'],
  ];
  for (const [given, finding] of cases) {
    const [report, ...more] = await check(given, trusted);
    assert.deepEqual([report!.format, report!.status, report!.findings], ['dsse', 'malformed', [finding]]);
    assert.equal(more.length, 0);
  }
});
