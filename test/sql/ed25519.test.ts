import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes, randomInt, sign } from 'node:crypto';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { isEd25519Signature } from '../../src/domain/ed25519.ts';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();
const db = database.pool();

/** The order of the base point (RFC 8032, 5.1). */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

interface Signed {
  readonly key: Buffer;
  readonly message: Buffer;
  readonly signature: Buffer;
}

/** What both verifiers say; they must agree. */
async function verdict({ key, message, signature }: Signed): Promise<boolean> {
  const { rows } = await db.query<{ good: boolean }>(
    'select docket_audit.ed25519_verify($1, $2, $3) as good',
    [key, message, signature],
  );
  const outside = isEd25519Signature(key, message, signature);
  assert.equal(
    rows[0]!.good,
    outside,
    `SQL and TypeScript differ: ${key.toString('hex')} ${signature.toString('hex')}`,
  );
  return outside;
}

function randomSigned(): Signed {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const message = randomBytes(randomInt(0, 400));
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { key, message, signature: sign(null, message, privateKey) };
}

/** A number in so many bytes, the lowest first. */
function littleEndian(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}

function numberOf(bytes: Buffer): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

/** RFC 8032, 7.1: key, message and signature of tests 1 to 3 and of SHA(abc). */
const RFC_8032: readonly (readonly [string, string, string])[] = [
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
  [
    'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
  ],
];

test('the vectors of RFC 8032 are accepted, and not for another message', async () => {
  for (const vector of RFC_8032) {
    const [key, message, signature] = vector.map((hex) => Buffer.from(hex, 'hex')) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    assert.equal(await verdict({ key, message, signature }), true);
    assert.equal(await verdict({ key, message: Buffer.concat([message, Buffer.of(0)]), signature }), false);
  }
});

test('random signatures are accepted, and none with a bit changed anywhere', async () => {
  for (let round = 0; round < 40; round += 1) {
    const signed = randomSigned();
    assert.equal(await verdict(signed), true);
    const part = (['key', 'message', 'signature'] as const)[round % 3]!;
    if (signed[part].length === 0) continue;
    const changed = Buffer.from(signed[part]);
    changed[randomInt(changed.length)]! ^= 1 << randomInt(8);
    assert.equal(await verdict({ ...signed, [part]: changed }), false, part);
  }
});

test('a signature cannot be written in another way: S above the order of the group is refused', async () => {
  const signed = randomSigned();
  const s = numberOf(signed.signature.subarray(32));
  const again = Buffer.concat([signed.signature.subarray(0, 32), littleEndian(s + ORDER)]);
  assert.equal(await verdict({ ...signed, signature: again }), false);
  // The first number that is no S, and the last one that is: the one is refused for that alone.
  const zero = Buffer.concat([signed.signature.subarray(0, 32), littleEndian(ORDER)]);
  assert.equal(await verdict({ ...signed, signature: zero }), false);
});

test('keys of small order, whose signatures would fit every message, are refused however they are encoded', async () => {
  const prime = 2n ** 255n - 19n;
  const eighth = 2707385501144840649318225287225658788936804267575313519463743609750303402022n;
  const identity = Buffer.concat([littleEndian(1n), littleEndian(0n)]);
  for (const y of [0n, 1n, prime - 1n, eighth, prime - eighth, prime, prime + 1n]) {
    for (const sign of [0n, 1n]) {
      const key = littleEndian(y + (sign << 255n));
      for (let n = 0; n < 4; n += 1) {
        const signed = { key, message: randomBytes(8), signature: identity };
        assert.equal(await verdict(signed), false, `y = ${String(y)}`);
      }
    }
  }
});

test('what is no point of the curve is no key, and nor is one that is not encoded canonically', async () => {
  const point = async (bytes: Buffer) => {
    const { rows } = await db.query<{ point: string[] | null }>(
      'select docket_audit.ed25519_point($1)::text[] as point',
      [bytes],
    );
    return rows[0]!.point;
  };
  const prime = 2n ** 255n - 19n;
  let found = 0;
  for (let y = 2n; y < 19n; y += 1n) {
    const bytes = littleEndian(y);
    const known = pointOf(bytes);
    assert.deepEqual(
      (await point(bytes))?.slice(0, 2) ?? null,
      known && [String(known.x), String(known.y)],
      `y = ${String(y)}`,
    );
    if (known) found += 1;
    // The same number, written as one above the prime.
    assert.equal(await point(littleEndian(prime + y)), null);
  }
  assert.ok(found > 4 && found < 17, String(found));
  // x is 0 there, and so has no odd twin.
  assert.deepEqual(await point(littleEndian(1n)), ['0', '1', '1', '0']);
  assert.equal(await point(littleEndian(1n + (1n << 255n))), null);
});

test('a key with a part of small order is judged by the equation without the cofactor, as in OpenSSL', async () => {
  const secret = BigInt(`0x${randomBytes(31).toString('hex')}`);
  const eighth = ed25519.Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');
  const key = Buffer.from(ed25519.Point.BASE.multiply(secret).add(eighth).toBytes());
  const nonce = 12345n;
  const r = Buffer.from(ed25519.Point.BASE.multiply(nonce).toBytes());
  const verdicts = [];
  for (let n = 0; n < 24; n += 1) {
    const message = Buffer.from(`message ${String(n)}`);
    const { rows } = await db.query<{ hash: Buffer }>('select sha512($1) as hash', [
      Buffer.concat([r, key, message]),
    ]);
    const k = numberOf(rows[0]!.hash) % ORDER;
    const signature = Buffer.concat([r, littleEndian((nonce + k * secret) % ORDER)]);
    // k times the part of small order vanishes where 8 divides k, and only there.
    assert.equal(await verdict({ key, message, signature }), k % 8n === 0n);
    verdicts.push(k % 8n === 0n);
  }
  assert.ok(verdicts.includes(false));
});

test('lengths that no key and no signature has, and nothing at all, are refused', async () => {
  const signed = randomSigned();
  assert.equal(await verdict({ ...signed, key: signed.key.subarray(1) }), false);
  assert.equal(
    await verdict({ ...signed, signature: Buffer.concat([signed.signature, Buffer.of(0)]) }),
    false,
  );
  const { rows } = await db.query<{ good: boolean }>(
    'select docket_audit.ed25519_verify(null, null, null) or docket_audit.ed25519_verify($1, null, $2) as good',
    [signed.key, signed.signature],
  );
  assert.equal(rows[0]!.good, false);
});

/** The point of an encoding by another implementation; null where there is none. */
function pointOf(bytes: Buffer): { x: bigint; y: bigint } | null {
  try {
    return ed25519.Point.fromBytes(bytes).toAffine();
  } catch {
    return null;
  }
}
