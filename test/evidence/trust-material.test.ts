import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { exportJWK, generateKeyPair, importSPKI } from 'jose';
import { DocketError } from '../../src/errors.ts';
import type { TrustMaterial } from '../../src/evidence/certificates/trust-material.ts';
import { readTrustMaterial } from '../../src/evidence/certificates/trust-material.ts';
import { OpensslFiles } from '../support/openssl-files.ts';

const files = new OpensslFiles();
files.makeKey('depot');
files.makeKey('rsa', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:3072');
files.makeCertificate('ca', '/C=DE/O=Depot, Nord/CN=Depot CA');
const depot = files.text('depot.pub.pem');

const read = (text: string | Buffer): TrustMaterial => readTrustMaterial(Buffer.from(text));

function refusedFor(text: string | Buffer): string {
  try {
    read(text);
  } catch (error) {
    assert.ok(error instanceof DocketError);
    assert.equal(error.code, 'ZD045');
    return error.message;
  }
  throw new Error('nothing was refused');
}

test('a key is the same as PEM, as DER and as JSON Web Key, alone or the only one of a set', async () => {
  const jwk = await exportJWK(await importSPKI(depot, 'ES256'));
  const expected = {
    kind: 'key',
    pem: depot,
    sha256: files.sha256('depot.pub.der'),
    algorithm: 'ec prime256v1',
  };
  const given = [
    depot,
    files.bytes('depot.pub.der'),
    JSON.stringify(jwk),
    ` ${JSON.stringify({ keys: [{ ...jwk, kid: 'depot', use: 'sig' }] })}\n`,
  ];
  for (const one of given) assert.deepEqual(read(one), expected);
});

test('an RSA key in its older PEM is read, and told with its length', () => {
  files.run('rsa', '-in', 'rsa.key', '-RSAPublicKey_out', '-out', 'rsa.pkcs1.pem');
  assert.deepEqual(read(files.text('rsa.pkcs1.pem')), {
    kind: 'key',
    pem: files.text('rsa.pub.pem'),
    sha256: files.sha256('rsa.pub.der'),
    algorithm: 'rsa 3072 bits',
  });
});

test('an ML-DSA key is read as PEM and as JSON Web Key, and its private half is refused as both', () => {
  for (const algorithm of ['ml-dsa-44', 'ml-dsa-65', 'ml-dsa-87'] as const) {
    const { publicKey, privateKey } = generateKeyPairSync(algorithm as 'ed25519');
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const expected = {
      kind: 'key',
      pem,
      sha256: createHash('sha256')
        .update(publicKey.export({ type: 'spki', format: 'der' }))
        .digest('hex'),
      algorithm,
    };
    assert.deepEqual(read(pem), expected);
    assert.deepEqual(read(JSON.stringify(publicKey.export({ format: 'jwk' }))), expected);
    assert.equal(
      refusedFor(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
      'is a private key',
    );
    assert.equal(refusedFor(JSON.stringify(privateKey.export({ format: 'jwk' }))), 'is a private key');
  }
});

test('a certificate is the same as PEM, as DER and below its text, with what it says of itself', () => {
  files.run('x509', '-in', 'ca.pem', '-text', '-out', 'ca.text.pem');
  const [notBefore, notAfter] = files
    .run('x509', '-in', 'ca.pem', '-noout', '-startdate', '-enddate')
    .toString()
    .trim()
    .split('\n')
    .map((line) => new Date(line.replace(/^\w+=/, '')));
  const subject = files.run('x509', '-in', 'ca.pem', '-noout', '-subject', '-nameopt', 'RFC2253').toString();
  const expected = {
    kind: 'certificate',
    pem: files.text('ca.pem'),
    sha256: files.sha256('ca.der'),
    algorithm: 'ec prime256v1',
    subject: subject.trim().replace(/^subject=/, ''),
    isAuthority: true,
    notBefore,
    notAfter,
  };
  assert.equal(expected.subject, 'CN=Depot CA,O=Depot\\, Nord,C=DE');
  for (const one of [files.text('ca.pem'), files.bytes('ca.der'), files.text('ca.text.pem')])
    assert.deepEqual(read(one), expected);
});

/** A revocation list of the authority that names as many serial numbers as are given. */
function makeList(name: string, serials: readonly string[]): void {
  writeFileSync(
    files.path(`${name}.txt`),
    serials.map((serial) => `R\t350101000000Z\t260101000000Z\t${serial}\tunknown\t/CN=x\n`).join(''),
  );
  writeFileSync(
    files.path(`${name}.cnf`),
    `[ca]\ndefault_ca=d\n[d]\ndatabase=${name}.txt\ndefault_md=sha256\ncrl_extensions=e\n[e]\nauthorityKeyIdentifier=keyid\n`,
  );
  const made = ['-crl_lastupdate', '20260101000000Z', '-crl_nextupdate', '20270101000000Z'];
  files.run(
    'ca',
    '-gencrl',
    '-config',
    `${name}.cnf`,
    '-keyfile',
    'ca.key',
    '-cert',
    'ca.pem',
    ...made,
    '-out',
    `${name}.pem`,
  );
  files.run('crl', '-in', `${name}.pem`, '-outform', 'DER', '-out', `${name}.der`);
}

test('a revocation list is the same as PEM and as DER, with its issuer, its times and how many it names', () => {
  makeList('two', ['01', '1F']);
  const expected = {
    kind: 'revocation_list',
    der: files.bytes('two.der'),
    sha256: files.sha256('two.der'),
    issuer: 'CN=Depot CA,O=Depot\\, Nord,C=DE',
    thisUpdate: new Date('2026-01-01T00:00:00Z'),
    nextUpdate: new Date('2027-01-01T00:00:00Z'),
    revoked: 2,
  };
  assert.deepEqual(read(files.text('two.pem')), expected);
  assert.deepEqual(read(files.bytes('two.der')), expected);
  makeList('none', []);
  assert.equal((read(files.bytes('none.der')) as { revoked?: number }).revoked, 0);
});

test('a private key is refused in every form, so that nobody hands it in by mistake', async () => {
  files.run('pkey', '-in', 'depot.key', '-outform', 'DER', '-out', 'depot.key.der');
  files.run('rsa', '-in', 'rsa.key', '-traditional', '-out', 'rsa.pkcs1.key');
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  for (const one of [
    files.text('depot.key'),
    files.bytes('depot.key.der'),
    files.text('rsa.pkcs1.key'),
    depot + files.text('depot.key'),
    JSON.stringify(await exportJWK(privateKey)),
  ])
    assert.equal(refusedFor(one), 'is a private key');
});

test('a shared secret, a key that signs nothing, and several at once are refused for what they are', () => {
  assert.match(refusedFor('{"kty":"oct","k":"c2VjcmV0"}'), /^is a shared secret/);
  files.makeKey('exchange', '-algorithm', 'X25519');
  assert.match(refusedFor(files.text('exchange.pub.pem')), /kind x25519, which signs no envelope/);
  assert.equal(refusedFor(depot + files.text('ca.pem')), 'holds 2 keys or certificates');
  const key = { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) };
  assert.equal(refusedFor(JSON.stringify({ keys: [key, key, key] })), 'holds 3 keys or certificates');
});

test('what is none of these is refused', () => {
  const cut = files.bytes('ca.der').subarray(0, -1);
  const nothing: (string | Buffer)[] = [
    '',
    'a key',
    '{',
    '{"kty":"EC"}',
    '{"keys":"x"}',
    '{"keys":[]}',
    cut,
    Buffer.concat([files.bytes('ca.der'), Buffer.of(0)]),
    depot.replaceAll('PUBLIC KEY', 'CERTIFICATE'),
    depot.replaceAll('PUBLIC KEY', 'CERTIFICATE REQUEST'),
    readFileSync(import.meta.filename),
  ];
  for (const one of nothing) assert.equal(refusedFor(one), 'is no key, certificate or revocation list');
});
