import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { DocketError } from '../../src/errors.ts';
import type { ObjectStore, StoredObject } from '../../src/store/store.ts';
import type { Fault } from '../support/fault-proxy.ts';
import { FAULTS, startFaultProxy } from '../support/fault-proxy.ts';
import { objectServer, skipWithoutServer } from '../support/object-server.ts';
import { createS3Fixture } from './s3-fixture.ts';

const server = objectServer();
if (server === undefined) {
  test('the S3 store bears the faults of a server', { skip: skipWithoutServer });
} else {
  const fixture = await createS3Fixture(server);
  const proxy = await startFaultProxy(server);
  after(() => proxy.stop());
  const signal = new AbortController().signal;
  const patience = { idleMs: 1_500, delayMs: 1 };
  const options = { endpoint: proxy.endpoint, patience };
  /** Codes of what may pass; the job is tried again. */
  const passing = ['STORE_UNAVAILABLE', 'STORE_TIMEOUT'];

  async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
    yield await Promise.resolve(bytes);
  }

  /** Does something while call `k` of it, and `length - 1` further ones, go wrong, for every k; returns how many calls there were. */
  async function sweep(
    fault: Fault,
    length: number,
    work: (isHurt: boolean) => Promise<void>,
  ): Promise<number> {
    for (let k = 1; ; k += 1) {
      proxy.plan(({ number }) => (number >= k && number < k + length ? fault : undefined));
      const isBeyond = () => proxy.calls.every((call) => call.fault === undefined);
      await work(true);
      if (isBeyond()) return k - 1;
    }
  }

  for (const [name, bucket] of [
    ['a plain bucket', fixture.bucket],
    ['a bucket with versions', fixture.lockBucket],
  ] as const) {
    const direct = fixture.store(bucket);
    const throughProxy: ObjectStore = fixture.store(bucket, options);

    for (const fault of FAULTS) {
      test(`a put to ${name} survives "${fault}" at any one call, and what it tells of is stored`, async () => {
        const swept = await sweep(fault, 1, async () => {
          const bytes = randomBytes(40_000);
          const stored = await throughProxy.put(once(bytes));
          assert.deepEqual(stored.sha256, createHash('sha256').update(bytes).digest());
          assert.deepEqual(await buffer(await direct.get(stored, { signal })), bytes);
          const versions: string[] = [];
          for await (const { locator } of direct.list({ signal })) {
            if (locator === stored.locator) versions.push(locator);
          }
          assert.equal(versions.length, 1);
        });
        assert.ok(swept >= 2);
      });

      test(`a put to ${name} fails with a code of the store when "${fault}" does not end, and tells of no object`, async () => {
        const bytes = randomBytes(40_000);
        let stored: StoredObject | undefined;
        proxy.plan(() => fault);
        await assert.rejects(
          async () => (stored = await throughProxy.put(once(bytes))),
          (error) => error instanceof DocketError && [...passing, 'HASH_MISMATCH'].includes(error.code),
        );
        assert.equal(stored, undefined);
      });

      test(`an object in ${name} is read, looked at and removed in spite of "${fault}" at any one call`, async () => {
        await sweep(fault, 1, async () => {
          const bytes = randomBytes(400_000);
          const stored = await direct.put(once(bytes));
          await readOrRefuse(throughProxy, stored, bytes);
          assert.equal((await throughProxy.stat(stored, { signal })).sizeBytes, bytes.length);
          assert.deepEqual(await throughProxy.remove(stored, { signal }), { isRemoved: true });
          await assert.rejects(direct.stat(stored, { signal }), { code: 'OBJECT_NOT_FOUND' });
        });
      });
    }
  }

  /**
   * What breaks an answer after it began is for the reader, who reads anew: a stream cannot be begun again. Other bytes are
   * noticed by whoever hashes them, which every reader of the product does.
   */
  async function readOrRefuse(store: ObjectStore, stored: StoredObject, bytes: Buffer): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        const got = await buffer(await store.get(stored, { signal }));
        if (got.equals(bytes)) return;
        assert.notDeepEqual(createHash('sha256').update(got).digest(), stored.sha256);
      } catch (error) {
        assert.ok(error instanceof DocketError && passing.includes(error.code), String(error));
      }
      assert.ok(tries < 3);
    }
  }

  test('a server that is not there, or resolves to nothing, is STORE_UNAVAILABLE', async () => {
    for (const endpoint of ['http://127.0.0.1:1', 'http://no-such-host.invalid']) {
      const store = fixture.store(fixture.bucket, { endpoint, patience: { tries: 2, delayMs: 1 } });
      await assert.rejects(store.put(once(randomBytes(10))), { code: 'STORE_UNAVAILABLE' });
    }
  });

  test('a silent server is given up after the time that was set, an aborted signal at once', async () => {
    const stored = await fixture.store(fixture.bucket).put(once(randomBytes(500_000)));
    proxy.plan(() => 'silent');
    const store = fixture.store(fixture.bucket, {
      ...options,
      patience: { idleMs: 100, tries: 1, delayMs: 1 },
    });
    await assert.rejects(store.get(stored, { signal }), { code: 'STORE_TIMEOUT' });
    const patient = fixture.store(fixture.bucket, { ...options, patience: { idleMs: 600_000 } });
    const reason = new Error('stop');
    for (const work of [
      (signal: AbortSignal) => patient.put(once(randomBytes(5_000_000)), { signal }),
      (signal: AbortSignal) => patient.get(stored, { signal }),
      (signal: AbortSignal) => patient.stat(stored, { signal }),
      (signal: AbortSignal) => patient.remove(stored, { signal }),
    ]) {
      const control = new AbortController();
      const seen = proxy.calls.length;
      const working = work(control.signal);
      const ended = assert.rejects(working, (error) => error === reason);
      while (proxy.calls.length === seen) await new Promise((resolve) => setImmediate(resolve));
      control.abort(reason);
      await ended;
    }
  });

  test('a body that stalls ends with STORE_TIMEOUT, though the reader may take its time', async () => {
    const stored = await fixture.store(fixture.bucket).put(once(randomBytes(500_000)));
    const impatience = { idleMs: 300, tries: 10, delayMs: 1 };
    const store = fixture.store(fixture.bucket, { ...options, patience: impatience });
    proxy.plan(() => 'stalled');
    await assert.rejects(buffer(await store.get(stored, { signal })), { code: 'STORE_TIMEOUT' });
    proxy.plan(() => undefined);
    let read = 0;
    for await (const piece of await store.get(stored, { signal })) {
      if (read === 0) await new Promise((resolve) => setTimeout(resolve, 2 * impatience.idleMs));
      read += (piece as Buffer).length;
    }
    assert.equal(read, 500_000);
  });
}
