import assert from 'node:assert/strict';
import * as node from 'node:crypto';
import { test } from 'node:test';
import * as browser from '../../scripts/gen/browser/node-crypto.ts';

// What the page uses in place of node:crypto must answer as that does.

const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

test('a browser hashes as Node does, in pieces of any size', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 1000, 100_000]) {
    const bytes = node.randomBytes(length);
    const [one, other] = [browser.createHash('sha256'), node.createHash('sha256')];
    for (let at = 0; at < length; at += 97) {
      one.update(bytes.subarray(at, at + 97));
      other.update(bytes.subarray(at, at + 97));
    }
    one.update('Ωμέγα').update('ascii', 'ascii');
    other.update('Ωμέγα').update('ascii', 'ascii');
    assert.equal(one.digest('hex'), other.digest('hex'));
  }
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  assert.equal(browser.createHash('sha256').digest().toString('hex'), empty);
  assert.throws(() => browser.createHash('sha1' as 'sha256'));
});

test('a browser accepts the signatures that Node accepts, and no others', () => {
  const verifies = (crypto: typeof browser | typeof node, key: Buffer, text: Buffer, signature: Buffer) => {
    const spki = { key: Buffer.concat([SPKI, key]), format: 'der', type: 'spki' } as const;
    return (crypto as typeof node).verify(
      null,
      text,
      (crypto as typeof node).createPublicKey(spki),
      signature,
    );
  };
  // RFC 8032, 7.1, test 3
  const key = Buffer.from('fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025', 'hex');
  const signature = Buffer.from(
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    'hex',
  );
  assert.ok(verifies(browser, key, Buffer.from('af82', 'hex'), signature));
  for (let round = 0; round < 20; round += 1) {
    const { publicKey, privateKey } = node.generateKeyPairSync('ed25519');
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(12);
    const text = node.randomBytes(round * 7);
    const made = node.sign(null, text, privateKey);
    assert.ok(verifies(browser, raw, text, made));
    const at = node.randomInt(made.length);
    made.writeUInt8(made.readUInt8(at) ^ (1 << node.randomInt(8)), at);
    assert.equal(verifies(browser, raw, text, made), verifies(node, raw, text, made));
    assert.equal(verifies(browser, raw, text, made), false);
  }
});

test('a signature whose second half is not below the order of the group is refused by both', () => {
  const { publicKey, privateKey } = node.generateKeyPairSync('ed25519');
  const text = Buffer.from('text');
  const made = node.sign(null, text, privateKey);
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const half = BigInt(`0x${Buffer.from(made.subarray(32)).reverse().toString('hex')}`) + order;
  const altered = Buffer.concat([
    made.subarray(0, 32),
    Buffer.from(half.toString(16).padStart(64, '0'), 'hex').reverse(),
  ]);
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(12);
  const wrapped = browser.createPublicKey({ key: Buffer.concat([SPKI, raw]) });
  assert.equal(node.verify(null, text, publicKey, altered), false);
  assert.equal(browser.verify(null, text, wrapped, altered), false);
});
