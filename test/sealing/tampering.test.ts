import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openMessage } from './independent-reader.ts';
import { readPlace, scratchKeyring, sealScan, SOURCE, sha256 } from './sealed-stage.ts';

const FRAME = 65_536;
const keyring = await scratchKeyring();
/** Two full frames and a part of a third. */
const scan = Buffer.concat([Buffer.from('SIGNED AT THE GATE'), randomBytes(2 * FRAME + 1_000)]);
const { sealed, place, key } = await sealScan(keyring, scan);
const { edges, headerBytes, context } = openMessage(sealed, key);

test('a sealed scan opens by the published format too, and is bound to its key, hash, source and purpose', async () => {
  for (const size of [0, 1, FRAME - 1, FRAME, FRAME + 1, 5 * FRAME]) {
    const one = randomBytes(size);
    const made = await sealScan(keyring, one);
    assert.deepEqual(openMessage(made.sealed, made.key).plaintext, one);
    assert.deepEqual((await readPlace(keyring, made.place, made.sealed)).plain, one);
  }
  assert.deepEqual(context, {
    object_key_id: place.objectKey!.id,
    sha256: sha256(scan).toString('hex'),
    source: SOURCE,
    purpose: 'evidence',
  });
  assert.equal(edges.length, 4);
  assert.ok(!sealed.includes('SIGNED AT THE GATE'));
});

test('a flipped bit anywhere is seen, and nothing of its frame or behind it is handed out', async () => {
  const places = [
    ...Array.from({ length: headerBytes }, (_, at) => at),
    // numbers, nonces, lengths and tags of the frames, and some of their content
    ...edges.flatMap((edge) => Array.from({ length: 60 }, (_, n) => edge - 30 + n)),
    ...Array.from(
      { length: 50 },
      () => headerBytes + Math.floor(Math.random() * (sealed.length - headerBytes)),
    ),
  ].filter((at) => at >= 0 && at < sealed.length);
  for (const at of new Set(places)) {
    const altered = Buffer.from(sealed);
    altered[at]! ^= 1 << (at % 8);
    const { code, plain } = await readPlace(keyring, place, altered);
    assert.equal(code, 'OBJECT_DAMAGED', `byte ${at}`);
    const whole = edges.filter((edge, frame) => frame > 0 && edge <= at).length;
    assert.ok(plain.length <= whole * FRAME, `byte ${at}: ${plain.length} bytes were handed out`);
    assert.ok(scan.subarray(0, plain.length).equals(plain));
  }
});

test('an object that ends early or goes on behind its end is seen, wherever it was cut', async () => {
  const cuts = [
    0,
    1,
    40,
    headerBytes - 1,
    headerBytes,
    ...edges.slice(0, -1),
    ...edges.map((edge) => edge - 1),
    ...edges.map((edge) => edge - 17),
  ];
  for (const cut of new Set(cuts)) {
    const { code } = await readPlace(keyring, place, sealed.subarray(0, cut));
    assert.equal(code, 'OBJECT_DAMAGED', `cut at ${cut}`);
  }
  for (const tail of [Buffer.from([0]), Buffer.alloc(100_000), sealed]) {
    const { code } = await readPlace(keyring, place, Buffer.concat([sealed, tail]));
    assert.equal(code, 'OBJECT_DAMAGED', `${tail.length} bytes more`);
  }
});

test('frames that were exchanged, repeated, left out or renumbered are seen, in pieces of any size', async () => {
  const header = sealed.subarray(0, headerBytes);
  const [first, second, last] = [0, 1, 2].map((n) => sealed.subarray(edges[n], edges[n + 1])) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  const renumbered = Buffer.from(second);
  renumbered.writeUInt32BE(7);
  const orders = [
    [second, first, last],
    [first, first, last],
    [first, last],
    [first, second],
    [first, renumbered, last],
    [last],
  ];
  for (const [index, frames] of orders.entries()) {
    const altered = Buffer.concat([header, ...frames]);
    for (const piece of [altered.length, FRAME + 32, headerBytes, 1_000, 7]) {
      const { code } = await readPlace(keyring, place, altered, piece);
      assert.equal(code, 'OBJECT_DAMAGED', `order ${index}, pieces of ${piece}`);
    }
  }
});

test('frames of another object do not fit in, even under the same header', async () => {
  const other = await sealScan(keyring, scan);
  const cut = openMessage(other.sealed, other.key);
  const mixed = Buffer.concat([sealed.subarray(0, edges[1]), other.sealed.subarray(cut.edges[1])]);
  assert.equal((await readPlace(keyring, place, mixed)).code, 'OBJECT_DAMAGED');
});

test('an intact object in the place of another is seen as that, and nothing of it is handed out', async () => {
  const other = await sealScan(keyring, randomBytes(1_000));
  const sameScan = await sealScan(keyring, scan);
  const elsewhere = await sealScan(keyring, scan, 'carrier-b');
  for (const { sealed: swapped } of [other, sameScan, elsewhere]) {
    const { code, plain } = await readPlace(keyring, place, swapped);
    assert.deepEqual([code, plain.length], ['OBJECT_SWAPPED', 0]);
  }
});

test('a row that was made to name another source, scan or key does not open the object', async () => {
  const { objectKey } = place;
  const other = sha256(Buffer.from('another scan'));
  const outcome = async (altered: Partial<typeof place>) => {
    const { code, plain } = await readPlace(keyring, { ...place, ...altered }, sealed);
    return [code, plain.length];
  };
  assert.deepEqual(await outcome({ sourceId: 'carrier-b' }), ['OBJECT_SWAPPED', 0]);
  assert.deepEqual(await outcome({ sha256: other, objectKey: { ...objectKey!, sha256: other } }), [
    'OBJECT_SWAPPED',
    0,
  ]);
  assert.deepEqual(await outcome({ sha256: other }), ['HASH_MISMATCH', 0]);
  assert.deepEqual(await outcome({ objectKey: null }), ['KEY_MISSING', 0]);
  assert.deepEqual(await outcome({ objectKey: null, isForeign: true }), ['LOCATOR_TAKEN', 0]);
});

test('a key that does not unwrap, or is that of another object, opens nothing', async () => {
  const other = await sealScan(keyring, scan);
  const stranger = await sealScan(await scratchKeyring(), scan);
  const outcome = async (wrapped: Buffer, keyId = place.objectKey!.keyId) => {
    const objectKey = { ...place.objectKey!, wrapped, keyId };
    const { code, plain } = await readPlace(keyring, { ...place, objectKey }, sealed);
    return [code, plain.length];
  };
  const { wrapped } = place.objectKey!;
  assert.deepEqual(await outcome(other.place.objectKey!.wrapped), ['KEY_WRONG', 0]);
  assert.deepEqual(await outcome(stranger.place.objectKey!.wrapped), ['KEY_WRONG', 0]);
  assert.deepEqual(await outcome(wrapped, stranger.place.objectKey!.keyId), ['KEY_WRONG', 0]);
  assert.deepEqual(await outcome(wrapped.subarray(0, -1)), ['KEY_WRONG', 0]);
  assert.deepEqual(await outcome(Buffer.alloc(0)), ['KEY_WRONG', 0]);
  for (let at = 0; at < wrapped.length; at += 1) {
    const altered = Buffer.from(wrapped);
    altered[at]! ^= 1;
    assert.deepEqual(await outcome(altered), ['KEY_WRONG', 0], `byte ${at}`);
  }
});
