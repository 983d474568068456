import assert from 'node:assert/strict';
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { test } from 'node:test';
import { checkCms } from '../../src/evidence/cms/check-cms.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import type { Trust } from '../../src/evidence/trust.ts';
import { contentOf } from './content-of.ts';
import { algorithm, attribute, craftCms, der, oid } from './craft-cms.ts';
import type { Crafted } from './craft-cms.ts';
import { AUTHORITY, OpensslAuthority, SIGNER } from './openssl-authority.ts';
import { inShort } from './signed-corpus.ts';
import { trustOf } from './trust-of.ts';

const { signal } = new AbortController();
const judgedAt = new Date(Date.now() + 60_000);
const DOCUMENT = 'One pallet, seals intact, received in good order.';
const VALID = 'valid, intact, digest matches, whole_document';
const SHA256 = algorithm('2.16.840.1.101.3.4.2.1');
const ECDSA_SHA256 = algorithm('1.2.840.10045.4.3.2');

const pki = new OpensslAuthority();
const root = pki.issue('root', { extensions: AUTHORITY });
pki.issue('signer', { extensions: SIGNER, issuer: 'root', serial: 0x77 });

function craft(given: Partial<Crafted> = {}, name = 'signer'): Buffer {
  return craftCms({
    signer: pki.certificate(name),
    key: createPrivateKey(pki.text(`${name}.key`)),
    digestAlgorithm: SHA256,
    messageDigest: digest('sha256'),
    signatureAlgorithm: ECDSA_SHA256,
    hash: 'sha256',
    ...given,
  });
}

function digest(hash: string, outputLength?: number): Buffer {
  return createHash(hash, { outputLength }).update(DOCUMENT).digest();
}

async function check(envelope: Buffer, trust: Partial<Trust> = {}): Promise<SignatureReport> {
  const [report, ...others] = await checkCms({
    der: envelope,
    content: contentOf(DOCUMENT),
    trust: { ...trustOf([root]), judgedAt, ...trust },
    signal,
  });
  assert.ok(report && others.length === 0);
  return report;
}

const WAYS: Record<string, [key: string, digest: string, hash: string, outputLength?: number]> = {
  Ed25519: ['1.3.101.112', '2.16.840.1.101.3.4.2.3', 'sha512'],
  Ed448: ['1.3.101.113', '2.16.840.1.101.3.4.2.12', 'shake256', 64],
};
for (const [name, [signature, digestOid, hash, outputLength]] of Object.entries(WAYS)) {
  test(`${name} is checked (RFC 8419)`, async () => {
    pki.issue(name, { extensions: SIGNER, issuer: 'root', algorithm: ['-algorithm', name] });
    const given = {
      digestAlgorithm: algorithm(digestOid),
      signatureAlgorithm: algorithm(signature),
      hash: null,
    };
    assert.equal(
      inShort(await check(craft({ ...given, messageDigest: digest(hash, outputLength) }, name))),
      VALID,
    );
    const other = createHash(hash, { outputLength }).update('x').digest();
    const report = await check(craft({ ...given, messageDigest: other }, name));
    assert.equal(inShort(report), 'invalid, intact, digest differs, no coverage');
  });
}

test('a key on a short curve is weak', async () => {
  const algorithmArgs = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp112r1'];
  pki.issue('short', { extensions: SIGNER, issuer: 'root', algorithm: algorithmArgs });
  const report = await check(craft({}, 'short'));
  assert.equal(inShort(report), 'weak_algorithm, intact, digest matches, whole_document');
  assert.ok(report.findings.includes('KEY_SHORT'));
});

test('hundreds of certificates that all could be the signer and issue each other take no time', async () => {
  const key = createPrivateKey(pki.text('signer.key'));
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const name = der(0x30, der(0x31, der(0x30, oid('2.5.4.3'), der(0x0c, Buffer.from('x')))));
  const isAuthority = der(0x30, oid('2.5.29.19'), der(0x04, der(0x30, der(0x01, Buffer.from([0xff])))));
  const years = der(0x30, ...['250101000000Z', '490101000000Z'].map((at) => der(0x17, Buffer.from(at))));
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const names = [der(0x02, Buffer.from([5])), ECDSA_SHA256, name, years, name];
  const body = der(0x30, version, ...names, spki, der(0xa3, der(0x30, isAuthority)));
  // ECDSA signs each time by another number, so that all of them differ.
  const certificates = Array.from({ length: 300 }, () =>
    der(0x30, body, ECDSA_SHA256, der(0x03, Buffer.from([0]), sign('sha256', body, key))),
  );
  const values = attribute('1.2.840.113549.1.9.16.2.23', der(0x30, ...certificates));
  const start = performance.now();
  const report = await check(craft({ signer: certificates[0]!, unsignedAttributes: () => [values] }));
  assert.equal(report.status, 'unknown_signer');
  assert.ok(performance.now() - start < 5_000, 'all paths would take half a minute');
});

test('ECDSA with SHA-3 is checked', async () => {
  const given = {
    digestAlgorithm: algorithm('2.16.840.1.101.3.4.2.8'),
    messageDigest: digest('sha3-256'),
    signatureAlgorithm: algorithm('2.16.840.1.101.3.4.3.10'),
    hash: 'sha3-256',
  };
  assert.equal(inShort(await check(craft(given))), VALID);
});

test('what is signed by an algorithm that is not known here is unsupported, and its digest still compared', async () => {
  const report = await check(craft({ signatureAlgorithm: algorithm('1.2.840.113549.1.1.99') }));
  assert.equal(inShort(report), 'unsupported, intact unknown, digest matches, whole_document');
  assert.deepEqual([report.algorithm, report.findings], ['1.2.840.113549.1.1.99', ['ALGORITHM_UNKNOWN']]);
  const byUnknownDigest = await check(craft({ digestAlgorithm: algorithm('1.3.36.3.2.1') }));
  assert.equal(inShort(byUnknownDigest), 'unsupported, intact, digest unknown, no coverage');
});

test('a certificate of the same names and number but another key is not the one that signed', async () => {
  pki.issue('double', { extensions: SIGNER, issuer: 'root', serial: 0x77, subject: '/O=Depot/CN=signer' });
  const swapped = await check(craft({ certificates: [pki.certificate('double')] }));
  assert.equal(inShort(swapped), 'invalid, not intact, digest matches, whole_document');
  assert.deepEqual(swapped.findings, ['SIGNATURE_BROKEN']);
  const beside = await check(craft({ certificates: [pki.certificate('double'), pki.certificate('signer')] }));
  assert.equal(beside.status, 'valid', 'the other one does no harm');
});

const SIGNING_CERTIFICATES: Record<string, (certificate: Buffer) => Buffer> = {
  '1.2.840.113549.1.9.16.2.12': (certificate) => der(0x30, der(0x04, hashOf('sha1', certificate))),
  '1.2.840.113549.1.9.16.2.47': (certificate) => der(0x30, der(0x04, hashOf('sha256', certificate))),
  '1.2.840.113549.1.9.16.2.47 with its algorithm': (certificate) =>
    der(0x30, algorithm('2.16.840.1.101.3.4.2.3'), der(0x04, hashOf('sha512', certificate))),
};
function hashOf(hash: string, bytes: Buffer): Buffer {
  return createHash(hash).update(bytes).digest();
}
for (const [name, mark] of Object.entries(SIGNING_CERTIFICATES)) {
  test(`a certificate of the same key for somebody else is refused if the signer named the right one (${name})`, async () => {
    pki.issue('alias', {
      extensions: SIGNER,
      issuer: 'root',
      serial: 0x77,
      subject: '/CN=Somebody',
      keyOf: 'signer',
    });
    const [dotted = ''] = name.split(' ');
    const named = attribute(dotted, der(0x30, der(0x30, mark(pki.certificate('signer')))));
    const given = { signedAttributes: [named] };
    assert.equal(inShort(await check(craft(given))), VALID);
    const alias = await check(craft({ ...given, certificates: [pki.certificate('alias')] }));
    assert.equal(inShort(alias), 'invalid, intact, digest matches, whole_document');
    assert.deepEqual([alias.signer, alias.findings], [null, ['CERTIFICATE_SUBSTITUTED']]);
  });
}

test('signed attributes without a digest, with two, or of another kind of content are refused', async () => {
  const twice = attribute('1.2.840.113549.1.9.4', der(0x04, digest('sha256')));
  for (const given of [{ messageDigest: null }, { signedAttributes: [twice] }]) {
    const report = await check(craft(given));
    assert.deepEqual([report.status, report.findings], ['malformed', ['ATTRIBUTE_MISSING']]);
  }
  const other = await check(craft({ contentType: '1.2.840.113549.1.7.3' }));
  assert.deepEqual([other.status, other.findings], ['invalid', ['CONTENT_TYPE_WRONG']]);
});

test('algorithms that the signer named hold (RFC 6211)', async () => {
  const protection = (digestAlgorithm: Buffer, signatureAlgorithm: Buffer): Buffer =>
    attribute('1.2.840.113549.1.9.52', der(0x30, digestAlgorithm, der(0xa1, signatureAlgorithm.subarray(2))));
  const right = protection(SHA256, ECDSA_SHA256);
  assert.equal(inShort(await check(craft({ signedAttributes: [right] }))), VALID);
  const sha512 = algorithm('2.16.840.1.101.3.4.2.3');
  const ecdsaSha512 = algorithm('1.2.840.10045.4.3.4');
  for (const wrong of [protection(sha512, ECDSA_SHA256), protection(SHA256, ecdsaSha512)]) {
    const report = await check(craft({ signedAttributes: [wrong] }));
    assert.deepEqual([report.status, report.findings], ['invalid', ['ALGORITHM_SUBSTITUTED']]);
  }
});

test('revocation lists and authorities count that lie in the envelope or were added to it later', async () => {
  pki.issue('office', { extensions: AUTHORITY, issuer: 'root' });
  pki.issue('clerk', { extensions: SIGNER, issuer: 'office', serial: 0x66 });
  const list = pki.revoke('office', [['66', '200101000000Z']]);
  const office = pki.certificate('office');
  const later = (dotted: string, ...value: Buffer[]) => attribute(dotted, der(0x30, ...value));
  const certificateValues = later('1.2.840.113549.1.9.16.2.23', office);
  const revocationValues = later('1.2.840.113549.1.9.16.2.24', der(0xa0, der(0x30, list)));
  const answer = async (given: Partial<Crafted>): Promise<string> =>
    (await check(craft(given, 'clerk'))).status;
  assert.equal(await answer({}), 'unknown_signer');
  assert.equal(await answer({ unsignedAttributes: () => [certificateValues] }), 'valid');
  assert.equal(await answer({ unsignedAttributes: () => [certificateValues, revocationValues] }), 'revoked');
  const certificates = [pki.certificate('clerk'), office];
  assert.equal(await answer({ certificates, revocationLists: [list] }), 'revoked');
});

test('what was added later and is not looked at is said', async () => {
  const added = attribute('0.4.0.1733.2.4', der(0x30));
  const report = await check(craft({ unsignedAttributes: () => [added] }));
  assert.deepEqual([report.status, report.findings], ['valid', ['UNSIGNED_PROPERTIES_NOT_CHECKED']]);
});

test('more certificates and signers than anybody needs are refused', async () => {
  const certificates = Array<Buffer>(51).fill(pki.certificate('signer'));
  const report = await check(craft({ certificates }));
  assert.deepEqual([report.status, report.findings], ['malformed', ['SIGNATURES_TOO_MANY']]);
});

test('structures that are nested or listed without an end are malformed, not a crash', async () => {
  const info = (inner: Buffer): Buffer => der(0x30, oid('1.2.840.113549.1.7.2'), der(0xa0, inner));
  const deep = (tag: number): Buffer => {
    const head = Buffer.from([tag, 0x80]);
    return Buffer.concat([...Array<Buffer>(100_000).fill(head), Buffer.alloc(200_000)]);
  };
  let octets = der(0x04, Buffer.from('x'));
  for (let depth = 0; depth < 2_000; depth += 1) octets = der(0x24, octets);
  const data = der(0x30, oid('1.2.840.113549.1.7.1'), der(0xa0, octets));
  const enclosing = der(0x30, der(0x02, Buffer.from([1])), der(0x31), data, der(0x31));
  const wide = der(
    0x30,
    der(0x02, Buffer.from([1])),
    der(0x31),
    data,
    der(0x31, Buffer.alloc(1_000_000, '0000', 'hex')),
  );
  const long = info(
    der(0x30, der(0x02, Buffer.from([1])), der(0x31), der(0x30, der(0x06, Buffer.alloc(900_000, 0x81)))),
  );
  for (const envelope of [deep(0x30), info(deep(0xa0)), info(enclosing), info(wide), long]) {
    assert.equal((await check(envelope)).status, 'malformed');
  }
});

test('an algorithm that takes the whole document at once is not given one that is too large for it', async () => {
  pki.issue('ed', { extensions: SIGNER, issuer: 'root', algorithm: ['-algorithm', 'Ed25519'] });
  const envelope = craft(
    {
      digestAlgorithm: algorithm('2.16.840.1.101.3.4.2.3'),
      signatureAlgorithm: algorithm('1.3.101.112'),
      hash: null,
      bareContent: Buffer.from(DOCUMENT),
    },
    'ed',
  );
  assert.equal(inShort(await check(envelope)), VALID);
  const [report] = await checkCms({
    der: envelope,
    content: { sizeBytes: 64 * 1024 * 1024 + 1, open: () => assert.fail('it is not read') },
    trust: trustOf([root], { judgedAt }),
    signal,
  });
  assert.equal(inShort(report!), 'unsupported, intact unknown, digest unknown, no coverage');
  assert.deepEqual(report?.findings, ['CONTENT_TOO_LARGE', 'SIGNED_ATTRIBUTES_MISSING']);
});

test('a PDF expects a signature beside its content, or a time-stamp, and accepts nothing else', async () => {
  pki.write('document', DOCUMENT);
  const question = { content: contentOf(DOCUMENT), trust: trustOf([root], { judgedAt }), signal } as const;
  const ask = async (
    envelope: Buffer,
    expect: 'detached' | 'timestamp',
  ): Promise<SignatureReport | undefined> =>
    (await checkCms({ ...question, der: envelope, format: 'pdf', expect }))[0];
  const enclosing = await ask(pki.sign('document', 'signer', '-nodetach'), 'detached');
  assert.deepEqual([enclosing?.format, enclosing?.status], ['pdf', 'invalid']);
  assert.deepEqual(enclosing?.findings, ['CONTENT_ENCLOSED']);
  const padded = Buffer.concat([craft(), Buffer.alloc(500)]);
  assert.equal((await ask(padded, 'detached'))?.status, 'valid');
  const noStamp = await ask(craft(), 'timestamp');
  assert.deepEqual([noStamp?.status, noStamp?.purpose], ['malformed', 'timestamp']);
});
