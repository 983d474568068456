import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { compactVerify, importJWK } from 'jose';
import type { SigningKey } from '../../src/receipts/key-file.ts';
import { parsePublicKeys } from '../../src/receipts/public-keys.ts';
import { signReceipt } from '../../src/receipts/sign-receipt.ts';
import { openReceiptSigner } from '../../src/receipts/signer.ts';
import { verifyReceipt } from '../../src/receipts/verify-receipt.ts';
import { RECEIPT } from './sample-receipt.ts';

let folder = '';
let [key, other]: SigningKey[] = [];
let [jws, pem] = ['', ''];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dkt-verify-'));
  const keys = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const signer = await openReceiptSigner({ receiptKeyFile: join(folder, name) }, { mayMake: true });
      return signer!.current();
    }),
  );
  [key, other] = keys;
  jws = signReceipt(RECEIPT, key!);
  pem = createPublicKey({ key: { ...key!.publicJwk }, format: 'jwk' })
    .export({ format: 'pem', type: 'spki' })
    .toString();
});
after(() => rm(folder, { recursive: true, force: true }));

test('a receipt is a compact JWS that jose verifies, with the header that says what it is', async () => {
  const { payload, protectedHeader } = await compactVerify(jws, await importJWK({ ...key!.publicJwk }));
  assert.deepEqual(JSON.parse(new TextDecoder().decode(payload)), RECEIPT);
  assert.deepEqual(protectedHeader, { alg: 'EdDSA', kid: key!.kid, typ: 'docket-receipt+jws' });
});

test('it is verified by a key as PEM, as JWK or in a set, and by nothing that the receipt names', async () => {
  const set = JSON.stringify({ keys: [other!.publicJwk, key!.publicJwk] });
  for (const text of [pem, JSON.stringify(key!.publicJwk), set]) {
    const { receipt, kid } = await verifyReceipt(`${jws}\n`, parsePublicKeys(text));
    assert.deepEqual(receipt, RECEIPT);
    assert.equal(kid, key!.kid);
  }
  const lying = signReceipt(RECEIPT, { ...other!, kid: key!.kid });
  await assert.rejects(verifyReceipt(lying, parsePublicKeys(pem)), { code: 'RECEIPT_INVALID' });
  const hinted = signReceipt(RECEIPT, { ...key!, kid: other!.kid });
  assert.equal((await verifyReceipt(hinted, parsePublicKeys(pem))).kid, key!.kid);
});

test('a receipt that was altered anywhere is not genuine', async () => {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const said = { ...RECEIPT, outcome: 'BSIG' };
  const otherwise = Buffer.from(JSON.stringify(said)).toString('base64url');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const hmac = Buffer.from('{"alg":"HS256","typ":"docket-receipt+jws"}').toString('base64url');
  const mac = createHmac('sha256', pem).update(`${hmac}.${payload}`).digest('base64url');
  for (const wrong of [
    `${header}.${otherwise}.${signature}`,
    `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
    `${header}.${payload}.`,
    `${none}.${payload}.`,
    `${hmac}.${payload}.${mac}`,
  ]) {
    await assert.rejects(verifyReceipt(wrong, parsePublicKeys(pem)), { code: 'RECEIPT_INVALID' }, wrong);
  }
  for (const other of [`${header}.${payload}`, RECEIPT.statement, ''])
    await assert.rejects(verifyReceipt(other, parsePublicKeys(pem)), { code: 'RECEIPT_MALFORMED' }, other);
});

test('what the same key signed as something else is no receipt', async () => {
  const sign = (header: object, payload: string) => {
    const signed = [JSON.stringify(header), payload]
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.');
    return `${signed}.${key!.sign(Buffer.from(signed)).toString('base64url')}`;
  };
  const typ = 'docket-receipt+jws';
  for (const wrong of [
    sign({ alg: 'EdDSA', typ: 'JWT' }, JSON.stringify(RECEIPT)),
    sign({ alg: 'EdDSA' }, JSON.stringify(RECEIPT)),
    sign({ alg: 'EdDSA', typ }, JSON.stringify({ ...RECEIPT, more: 1 })),
    sign({ alg: 'EdDSA', typ }, 'not JSON'),
  ]) {
    await assert.rejects(verifyReceipt(wrong, parsePublicKeys(pem)), { code: 'RECEIPT_MALFORMED' });
  }
  const critical = sign({ alg: 'EdDSA', typ, crit: ['exp'], exp: 1 }, JSON.stringify(RECEIPT));
  await assert.rejects(verifyReceipt(critical, parsePublicKeys(pem)), { code: 'RECEIPT_INVALID' });
});

test('keys that are secret, or of another kind, or no keys, are refused', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  for (const [text, message] of [
    [privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), /private/],
    [JSON.stringify(privateKey.export({ format: 'jwk' })), /secret/],
    [JSON.stringify({ kty: 'oct', k: 'AAAA' }), /secret/],
    [rsa.export({ format: 'pem', type: 'spki' }).toString(), /no Ed25519 key/],
    ['{"keys": []}', /no Ed25519 key/],
    ['hello', /no public key/],
    [jws, /no public key/],
  ] as const) {
    assert.throws(() => parsePublicKeys(text), { code: 'RECEIPT_KEY', message });
  }
});

test('a set may hold keys of other kinds besides', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const set = JSON.stringify({ keys: [publicKey.export({ format: 'jwk' }), key!.publicJwk] });
  assert.equal((await verifyReceipt(jws, parsePublicKeys(set))).receipt.sub, 'carrier-a');
});
