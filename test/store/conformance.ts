import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { ObjectStore } from '../../src/store/store.ts';

/** What every store promises, as tests. `scheme` is how its locators begin. */
export function testConformance(name: string, scheme: string, createStore: () => Promise<ObjectStore>): void {
  const signal = new AbortController().signal;
  const absent = `${scheme}:${'0'.repeat(2)}/${'0'.repeat(64)}`;

  for (const size of [0, 1, 65_536, 65_537, 1_000_003]) {
    test(`the ${name} store gives back ${size} bytes as they were put`, async () => {
      const store = await createStore();
      const bytes = randomBytes(size);
      const stored = await store.put(inPieces(bytes, 10_007));
      assert.equal(stored.sizeBytes, size);
      assert.deepEqual(stored.sha256, createHash('sha256').update(bytes).digest());
      assert.ok(stored.locator.startsWith(`${scheme}:`));
      assert.deepEqual(await buffer(await store.get(stored, { signal })), bytes);
    });
  }

  test(`the ${name} store keeps one object when the same bytes are put twice, or at the same time`, async () => {
    const store = await createStore();
    const bytes = randomBytes(5000);
    const first = await store.put(inPieces(bytes, 999));
    const others = await Promise.all([1, 2, 3, 4].map(() => store.put(inPieces(bytes, 100))));
    for (const other of others) assert.deepEqual(other, first);
    assert.deepEqual(await buffer(await store.get(first, { signal })), bytes);
  });

  test(`the ${name} store gives the same bytes another name in another folder, and reads both`, async () => {
    const store = await createStore();
    const bytes = randomBytes(100);
    const names = new Set<string>();
    for (const folder of [undefined, 'carrier-a', 'carrier-b', 'carrier-b/depot']) {
      const stored = await store.put(inPieces(bytes, 100), folder === undefined ? {} : { folder });
      names.add(stored.locator);
      assert.deepEqual(await buffer(await store.get(stored, { signal })), bytes);
    }
    assert.equal(names.size, 4);
  });

  for (const folder of ['..', 'a/../..', '', '/etc', 'a//b', 'a\\b']) {
    test(`the ${name} store puts nothing into the folder ${JSON.stringify(folder)}`, async () => {
      const store = await createStore();
      await assert.rejects(store.put(inPieces(randomBytes(10), 10), { folder }), { code: 'LOCATOR_INVALID' });
    });
  }

  test(`the ${name} store keeps nothing of an object whose source fails, and passes the failure on`, async () => {
    const store = await createStore();
    const bytes = randomBytes(3000);
    const failure = new Error('the source broke');
    await assert.rejects(store.put(failingAfter(bytes, failure)), (error) => error === failure);
    const stored = await store.put(inPieces(bytes, 3000));
    assert.equal(stored.sizeBytes, 3000);
  });

  test(`the ${name} store answers OBJECT_NOT_FOUND for a name it never gave`, async () => {
    const store = await createStore();
    await store.put(inPieces(randomBytes(10), 10));
    await assert.rejects(store.get({ locator: absent, version: null }, { signal }), {
      code: 'OBJECT_NOT_FOUND',
    });
  });

  for (const locator of [
    's3://bucket/key',
    'plain-key',
    `${scheme}:`,
    `${scheme}:/etc/passwd`,
    `${scheme}:../secret`,
    `${scheme}:ab/../../secret`,
    `${scheme}:ab//cd`,
    `${scheme}:ab/./cd`,
    `${scheme}:ab\\cd`,
    `${scheme}:ab/cd\u0000`,
    `${scheme}:${'a'.repeat(2000)}`,
  ]) {
    test(`the ${name} store refuses the locator ${JSON.stringify(locator.slice(0, 40))}`, async () => {
      const store = await createStore();
      await assert.rejects(store.get({ locator, version: null }, { signal }), { code: 'LOCATOR_INVALID' });
    });
  }

  test(`the ${name} store refuses a version`, async () => {
    const store = await createStore();
    const { locator } = await store.put(inPieces(randomBytes(10), 10));
    await assert.rejects(store.get({ locator, version: '3' }, { signal }), { code: 'LOCATOR_INVALID' });
  });

  test(`the ${name} store does not begin to read once the signal is aborted`, async () => {
    const store = await createStore();
    const stored = await store.put(inPieces(randomBytes(10), 10));
    const stop = new Error('stop');
    await assert.rejects(store.get(stored, { signal: AbortSignal.abort(stop) }), (error) => error === stop);
  });

  test(`the ${name} store stops reading when the signal is aborted`, async () => {
    const store = await createStore();
    const stored = await store.put(inPieces(randomBytes(5_000_000), 500_000));
    const control = new AbortController();
    const stream = await store.get(stored, { signal: control.signal });
    let seen = 0;
    await assert.rejects(async () => {
      for await (const piece of stream) {
        seen += (piece as Buffer).length;
        control.abort(new Error('stop'));
      }
    });
    assert.ok(seen < 5_000_000);
  });
}

function inPieces(bytes: Buffer, size: number): Readable {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  return Readable.from(pieces, { objectMode: false });
}

async function* failingAfter(bytes: Buffer, failure: Error): AsyncGenerator<Buffer> {
  yield bytes;
  await Promise.resolve();
  throw failure;
}
