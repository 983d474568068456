import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { readChecked } from '../../src/store/read-checked.ts';
import type { ObjectStore, StoredObject } from '../../src/store/store.ts';

const store = createMemoryStore();
const bytes = Buffer.alloc(300_000, 'a page');
const object = await store.put(Readable.from([bytes]) as AsyncIterable<Uint8Array>);
const signal = new AbortController().signal;

async function read(from: ObjectStore, stated: StoredObject, given = signal): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await readChecked((options) => from.get(stated, options), stated, {
    signal: given,
    take: (piece) => void pieces.push(piece),
  });
  return Buffer.concat(pieces);
}

test('all of an object is handed out, if it is what was stated', async () => {
  assert.deepEqual(await read(store, object), bytes);
});

for (const { name, pieces } of [
  { name: 'no piece', pieces: [] },
  { name: 'an empty piece', pieces: [''] },
  { name: 'one piece', pieces: ['abc'] },
  { name: 'one piece between empty ones', pieces: ['', 'abc', ''] },
  { name: 'a piece and an empty one', pieces: ['abc', ''] },
  { name: 'pieces of one byte', pieces: ['a', 'b', 'c'] },
]) {
  test(`an object that comes in ${name} is hashed whole`, async () => {
    // The published SHA-256 of "abc", and of nothing.
    const known = pieces.join('')
      ? 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
      : 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    const from = {
      ...store,
      get: () => Promise.resolve(Readable.from(pieces.map((one) => Buffer.from(one)))),
    };
    const stated = { ...object, sizeBytes: pieces.join('').length };
    assert.equal(
      (await read(from, { ...stated, sha256: Buffer.from(known, 'hex') })).toString(),
      pieces.join(''),
    );
    await assert.rejects(read(from, { ...stated, sha256: object.sha256 }), { code: 'HASH_MISMATCH' });
  });
}

test('other bytes, more bytes and fewer bytes are refused', async () => {
  const sha256 = createHash('sha256').update('something else').digest();
  await assert.rejects(read(store, { ...object, sha256 }), { code: 'HASH_MISMATCH' });
  await assert.rejects(read(store, { ...object, sizeBytes: bytes.length - 1 }), { code: 'SIZE_MISMATCH' });
  await assert.rejects(read(store, { ...object, sizeBytes: bytes.length + 1 }), { code: 'SIZE_MISMATCH' });
});

test('an object without end is not read further than was stated', async () => {
  let handedOut = 0;
  const endless: ObjectStore = {
    ...store,
    get: () =>
      Promise.resolve(
        new Readable({
          read() {
            handedOut += 65_536;
            this.push(Buffer.alloc(65_536));
          },
        }),
      ),
  };
  await assert.rejects(read(endless, { ...object, sizeBytes: 100_000 }), { code: 'SIZE_MISMATCH' });
  assert.ok(handedOut < 1_000_000);
});

test('an abort ends reading with its reason, though the store never answers', async () => {
  const silent = { ...store, get: () => new Promise<never>(() => undefined) };
  const control = new AbortController();
  const reading = read(silent, object, control.signal);
  const reason = new Error('stop');
  control.abort(reason);
  await assert.rejects(reading, (error) => error === reason);
});

test('nothing is opened once the signal is aborted', async () => {
  const reason = new Error('stop');
  let isOpened = false;
  const watched = { ...store, get: () => ((isOpened = true), new Promise<never>(() => undefined)) };
  await assert.rejects(read(watched, object, AbortSignal.abort(reason)), (error) => error === reason);
  assert.equal(isOpened, false);
});

test('a stream that a store opens after the abort is closed, and its error ends nothing', async () => {
  let open: (stream: Readable) => void = () => undefined;
  const late = { ...store, get: () => new Promise<Readable>((resolve) => (open = resolve)) };
  const control = new AbortController();
  const reading = read(late, object, control.signal);
  control.abort(new Error('stop'));
  await assert.rejects(reading, /stop/);
  const stream = new Readable({ read: () => undefined });
  const closed = new Promise((resolve) => stream.once('close', resolve));
  open(stream);
  await closed;
  assert.equal(stream.destroyed, true);
});

test('a failure of whoever takes the bytes is passed on', async () => {
  const failure = new Error('no room');
  const take = () => Promise.reject(failure);
  await assert.rejects(
    readChecked((options) => store.get(object, options), object, { signal, take }),
    (error) => error === failure,
  );
});
