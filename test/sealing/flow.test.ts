import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { DocketError } from '../../src/errors.ts';
import { createScanReader } from '../../src/sealing/scan-reader.ts';
import { makeObjectKey, seal } from '../../src/sealing/sealed-object.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { inPieces, scratchKeyring, sealScan, sha256, SOURCE } from './sealed-stage.ts';

const MIB = 1024 * 1024;
const keyring = await scratchKeyring();
const scan = randomBytes(20 * MIB);
const { sealed, place } = await sealScan(keyring, scan);

/** Reads the sealed scan from a store that hands out what it is told to. */
function open(bytes: AsyncIterable<Uint8Array>, signal = new AbortController().signal): Promise<Readable> {
  const store = {
    ...createMemoryStore(),
    get: () => Promise.resolve(Readable.from(bytes, { objectMode: false })),
  };
  return createScanReader({ store, keyring }).open(place, { signal });
}

/** The bytes, and how many of them were taken so far. */
function counted(bytes: Buffer): { taken: () => number; pieces: AsyncGenerator<Buffer> } {
  let taken = 0;
  async function* count(): AsyncGenerator<Buffer> {
    for await (const piece of inPieces(bytes, 65_536)) {
      taken += piece.length;
      yield piece;
    }
  }
  return { taken: () => taken, pieces: count() };
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test('no more is read ahead than a few frames, however slow whoever reads the scan is', async () => {
  const { taken, pieces } = counted(sealed);
  const stream = await open(pieces);
  let read = 0;
  for await (const piece of stream) {
    read += (piece as Buffer).length;
    await turns(20);
    assert.ok(taken() - read < MIB, `${taken()} bytes were taken when ${read} had been read`);
  }
  assert.equal(read, scan.length);
});

test('no more of a scan is taken than was sealed, but for a few frames', async () => {
  const { taken, pieces } = counted(scan);
  const { id, key } = makeObjectKey();
  let out = 0;
  for await (const piece of seal(pieces, key, { objectKeyId: id, sha256: sha256(scan), sourceId: SOURCE })) {
    out += piece.length;
    await turns(5);
    assert.ok(taken() - out < MIB, `${taken()} bytes were taken when ${out} had come out`);
  }
});

test('an abort ends reading with its reason, in the midst of it, and lets go of the store', async () => {
  const control = new AbortController();
  const reason = new Error('told to stop');
  let isLetGo = false;
  async function* endless(): AsyncGenerator<Buffer> {
    try {
      yield* inPieces(sealed.subarray(0, 3 * MIB), 65_536);
      await new Promise(() => undefined);
    } finally {
      isLetGo = true;
    }
  }
  const source = Readable.from(endless(), { objectMode: false });
  source.once('close', () => (isLetGo = true));
  const store = { ...createMemoryStore(), get: () => Promise.resolve(source) };
  const stream = await createScanReader({ store, keyring }).open(place, { signal: control.signal });
  let read = 0;
  const reading = (async () => {
    for await (const piece of stream) {
      read += (piece as Buffer).length;
      if (read > MIB) control.abort(reason);
    }
  })();
  await assert.rejects(reading, (error) => error === reason);
  await turns(50);
  assert.equal(isLetGo, true);
});

test('an error of the store passes as it is, and is not taken for damage', async () => {
  async function* failing(error: Error): AsyncGenerator<Buffer> {
    yield* inPieces(sealed.subarray(0, 200_000), 65_536);
    throw error;
  }
  for (const error of [new DocketError('STORE_UNAVAILABLE', 'down'), new Error('unforeseen')]) {
    const stream = await open(failing(error));
    await assert.rejects(stream.toArray(), (caught) => caught === error);
  }
});

test('whoever stops reading early leaves nothing open', async () => {
  const source = Readable.from(inPieces(sealed, 65_536), { objectMode: false });
  const store = { ...createMemoryStore(), get: () => Promise.resolve(source) };
  const { signal } = new AbortController();
  for await (const piece of await createScanReader({ store, keyring }).open(place, { signal })) {
    assert.ok((piece as Buffer).length > 0);
    break;
  }
  await turns(50);
  assert.equal(source.destroyed, true);
});
