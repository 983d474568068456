import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { ListedObject, ObjectStore } from '../../src/store/store.ts';

/** What every store promises, as tests. `begin` is how its locators begin; each test has an empty store of its own. */
export function testConformance(
  name: string,
  begin: string,
  createStore: () => Promise<ObjectStore>,
  { hasVersions = false }: { hasVersions?: boolean } = {},
): void {
  const signal = new AbortController().signal;
  const absent = { locator: `${begin}00/${'0'.repeat(64)}`, version: null };
  const listed = async (store: ObjectStore): Promise<ListedObject[]> => {
    const found: ListedObject[] = [];
    for await (const object of store.list({ signal })) found.push(object);
    return found.sort(byLocator);
  };

  for (const size of [0, 1, 65_536, 65_537, 1_000_003]) {
    test(`the ${name} store gives back ${size} bytes as they were put`, async () => {
      const store = await createStore();
      const bytes = randomBytes(size);
      const stored = await store.put(inPieces(bytes, 10_007));
      assert.equal(stored.sizeBytes, size);
      assert.deepEqual(stored.sha256, createHash('sha256').update(bytes).digest());
      assert.ok(stored.locator.startsWith(begin));
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
    await assert.rejects(store.get(absent, { signal }), {
      code: 'OBJECT_NOT_FOUND',
    });
  });

  for (const locator of [
    's3://no-such-bucket/key',
    'ftp://host/key',
    'plain-key',
    begin,
    `${begin}/etc/passwd`,
    `${begin}../secret`,
    `${begin}ab/../../secret`,
    `${begin}ab//cd`,
    `${begin}ab/./cd`,
    `${begin}ab\\cd`,
    `${begin}ab/cd\u0000`,
    `${begin}${'a'.repeat(2000)}`,
  ]) {
    test(`the ${name} store refuses the locator ${JSON.stringify(locator.slice(0, 40))}`, async () => {
      const store = await createStore();
      const reference = { locator, version: null };
      const wanted = { retainUntil: null, isHeld: true, signal };
      await assert.rejects(store.get(reference, { signal }), { code: 'LOCATOR_INVALID' });
      await assert.rejects(store.stat(reference, { signal }), { code: 'LOCATOR_INVALID' });
      await assert.rejects(store.remove(reference, { signal }), { code: 'LOCATOR_INVALID' });
      await assert.rejects(store.protect(reference, wanted), { code: 'LOCATOR_INVALID' });
    });
  }

  test(`the ${name} store refuses a version that it did not give`, async () => {
    const store = await createStore();
    const { locator } = await store.put(inPieces(randomBytes(10), 10));
    for (const version of hasVersions ? ['', 'a\u0000', 'v'.repeat(2000)] : ['3', '']) {
      await assert.rejects(store.get({ locator, version }, { signal }), { code: 'LOCATOR_INVALID' });
      await assert.rejects(store.remove({ locator, version }, { signal }), { code: 'LOCATOR_INVALID' });
    }
  });

  test(`the ${name} store tells the size of an object without reading it`, async () => {
    const store = await createStore();
    const stored = await store.put(inPieces(randomBytes(1234), 100));
    assert.deepEqual(await store.stat(stored, { signal }), {
      sizeBytes: 1234,
      retainUntil: null,
      isHeld: false,
    });
    await assert.rejects(store.stat(absent, { signal }), { code: 'OBJECT_NOT_FOUND' });
  });

  test(`the ${name} store removes one object and no other; one that is gone counts as removed`, async () => {
    const store = await createStore();
    const gone = await store.put(inPieces(randomBytes(100), 100));
    const kept = await store.put(inPieces(randomBytes(101), 100));
    assert.deepEqual(await store.remove(gone, { signal }), { isRemoved: true });
    await assert.rejects(store.get(gone, { signal }), { code: 'OBJECT_NOT_FOUND' });
    assert.deepEqual(await store.remove(gone, { signal }), { isRemoved: true });
    assert.deepEqual(await store.remove(absent, { signal }), { isRemoved: true });
    assert.equal((await store.stat(kept, { signal })).sizeBytes, 101);
  });

  test(`the ${name} store can take an object again that it removed`, async () => {
    const store = await createStore();
    const bytes = randomBytes(100);
    await store.remove(await store.put(inPieces(bytes, 100)), { signal });
    const again = await store.put(inPieces(bytes, 100));
    assert.deepEqual(await buffer(await store.get(again, { signal })), bytes);
  });

  test(`the ${name} store lists what it has, in every folder, and nothing else`, async () => {
    const store = await createStore();
    assert.deepEqual(await listed(store), []);
    const before = Date.now();
    const stored = [
      await store.put(inPieces(randomBytes(10), 10)),
      await store.put(inPieces(randomBytes(20), 10), { folder: 'carrier-a' }),
      await store.put(inPieces(randomBytes(30), 10), { folder: 'carrier b/dépôt+1' }),
    ].sort(byLocator);
    const removed = await store.put(inPieces(randomBytes(40), 10));
    await store.remove(removed, { signal });
    const found = await listed(store);
    assert.deepEqual(
      found.map(({ locator, version, sizeBytes }) => ({ locator, version, sizeBytes })),
      stored.map(({ locator, version, sizeBytes }) => ({ locator, version, sizeBytes })),
    );
    // The clock of a store may count whole seconds.
    for (const { storedAt } of found) {
      assert.ok(storedAt.getTime() > before - 2_000 && storedAt.getTime() < Date.now() + 2_000);
    }
  });

  test(`the ${name} store keeps one object of twenty that are put at once, whole`, async () => {
    const store = await createStore();
    const bytes = randomBytes(200_000);
    const puts = await Promise.all(Array.from({ length: 20 }, () => store.put(inPieces(bytes, 30_000))));
    for (const put of puts) assert.deepEqual(put, puts[0]);
    assert.equal((await listed(store)).length, 1);
    assert.deepEqual(await buffer(await store.get(puts[0]!, { signal })), bytes);
  });

  test(`the ${name} store ends a put at once when the signal is aborted, though the source is silent`, async () => {
    const store = await createStore();
    const control = new AbortController();
    const reason = new Error('stop');
    async function* silent(): AsyncGenerator<Buffer> {
      yield randomBytes(10);
      control.abort(reason);
      await new Promise(() => undefined);
    }
    await assert.rejects(store.put(silent(), { signal: control.signal }), (error) => error === reason);
    assert.deepEqual(await listed(store), []);
  });

  test(`the ${name} store does nothing once the signal is aborted`, async () => {
    const store = await createStore();
    const stored = await store.put(inPieces(randomBytes(10), 10));
    const stop = new Error('stop');
    const aborted = AbortSignal.abort(stop);
    const asIs = (error: unknown) => error === stop;
    await assert.rejects(store.get(stored, { signal: aborted }), asIs);
    await assert.rejects(store.stat(stored, { signal: aborted }), asIs);
    await assert.rejects(store.remove(stored, { signal: aborted }), asIs);
    await assert.rejects(store.protect(stored, { retainUntil: null, isHeld: true, signal: aborted }), asIs);
    await assert.rejects(store.put(inPieces(randomBytes(10), 10), { signal: aborted }), asIs);
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

function byLocator(one: { locator: string }, other: { locator: string }): number {
  return one.locator < other.locator ? -1 : 1;
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
