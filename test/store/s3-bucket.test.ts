import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  DeleteObjectCommand,
  GetObjectRetentionCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { createStore } from '../../src/store/create-store.ts';
import { createS3Client } from '../../src/store/s3-client.ts';
import type { ObjectStore, StoredObject } from '../../src/store/store.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { objectServer, skipWithoutServer } from '../support/object-server.ts';
import { createS3Fixture } from './s3-fixture.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const server = objectServer();
if (server === undefined) {
  test('the S3 store locks, pins and removes versions', { skip: skipWithoutServer });
} else {
  const fixture = await createS3Fixture(server);
  const { plain, bucket, lockBucket } = fixture;
  const signal = new AbortController().signal;
  const HOUR = 3_600_000;

  async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
    yield await Promise.resolve(bytes);
  }
  const keyOf = ({ locator }: { locator: string }) => locator.replace(/^s3:\/\/[^/]+\//, '');
  const versionsOf = async (of: { locator: string }): Promise<string[]> => {
    const { Versions = [] } = await plain.send(
      new ListObjectVersionsCommand({ Bucket: lockBucket, Prefix: keyOf(of) }),
    );
    return Versions.map((version) => version.VersionId ?? '');
  };

  test('an object is named by its SHA-256 below prefix and folder, and no draft of it is left', async () => {
    const bytes = randomBytes(100);
    const hex = createHash('sha256').update(bytes).digest('hex');
    const { locator, version } = await fixture
      .store(bucket, { prefix: 'archive/2026' })
      .put(once(bytes), { folder: 'carrier-a' });
    assert.equal(locator, `s3://${bucket}/archive/2026/carrier-a/${hex.slice(0, 2)}/${hex}`);
    assert.equal(version, null);
    assert.deepEqual(await readdir(fixture.drafts), []);
  });

  test('of twenty puts of the same bytes at once the server lets one through', async () => {
    const proxy = await startFaultProxy(server);
    after(() => proxy.stop());
    const store = fixture.store(bucket, { endpoint: proxy.endpoint });
    const bytes = randomBytes(50_000);
    const puts = await Promise.all(Array.from({ length: 20 }, () => store.put(once(bytes))));
    assert.equal(new Set(puts.map((put) => put.locator)).size, 1);
    const answers = proxy.calls.filter((call) => call.method === 'PUT').map((call) => call.status);
    assert.deepEqual(answers.sort(), [200, ...Array.from({ length: 19 }, () => 412)]);
  });

  test('an object that was changed in the store is neither replaced nor accepted', async () => {
    const store = fixture.store(bucket);
    const bytes = randomBytes(100);
    const stored = await store.put(once(bytes));
    await plain.send(new PutObjectCommand({ Bucket: bucket, Key: keyOf(stored), Body: 'forged' }));
    await assert.rejects(store.put(once(bytes)), { code: 'HASH_MISMATCH' });
    assert.equal((await buffer(await store.get(stored, { signal }))).toString(), 'forged');
  });

  test('a pinned version is read though another lies over it, and is gone once it is removed', async () => {
    const store = fixture.store(lockBucket);
    const bytes = randomBytes(100);
    const stored = await store.put(once(bytes));
    await plain.send(new PutObjectCommand({ Bucket: lockBucket, Key: keyOf(stored), Body: 'later' }));
    assert.deepEqual(await buffer(await store.get(stored, { signal })), bytes);
    assert.deepEqual(await store.remove(stored, { signal }), { isRemoved: true });
    await assert.rejects(store.get(stored, { signal }), { code: 'OBJECT_NOT_FOUND' });
    assert.equal((await versionsOf(stored)).length, 1);
  });

  test('without a version every version of the name goes, also below a mark of deletion', async () => {
    const store = fixture.store(lockBucket);
    const stored = await store.put(once(randomBytes(100)));
    await plain.send(new PutObjectCommand({ Bucket: lockBucket, Key: keyOf(stored), Body: 'later' }));
    await plain.send(
      new PutObjectCommand({ Bucket: lockBucket, Key: `${keyOf(stored)}-other`, Body: 'kept' }),
    );
    await plain.send(new DeleteObjectCommand({ Bucket: lockBucket, Key: keyOf(stored) }));
    assert.equal((await versionsOf(stored)).length, 3);
    const named = { locator: stored.locator, version: null };
    assert.deepEqual(await store.remove(named, { signal }), { isRemoved: true });
    assert.equal((await versionsOf(stored)).length, 1);
  });

  test('a retention holds until its time, is only ever lengthened, and the refusal tells it', async () => {
    const store = fixture.store(lockBucket);
    const stored = await store.put(once(randomBytes(100)));
    const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + HOUR);
    assert.equal(await store.canProtect({ signal }), true);
    const wanted = { isHeld: false, signal };
    assert.equal(await store.protect(stored, { ...wanted, retainUntil: until }), 'protected');
    assert.deepEqual(await store.stat(stored, { signal }), {
      sizeBytes: 100,
      retainUntil: until,
      isHeld: false,
    });
    for (const earlier of [null, new Date(0), new Date(until.getTime() - HOUR / 2)]) {
      assert.equal(await store.protect(stored, { ...wanted, retainUntil: earlier }), 'protected');
    }
    const refusal = { isRemoved: false, retainedUntil: until, isHeld: false };
    assert.deepEqual(await store.remove(stored, { signal }), refusal);
    assert.deepEqual(await store.remove({ ...stored, version: null }, { signal }), refusal);
    const later = new Date(until.getTime() + HOUR);
    assert.equal(await store.protect(stored, { ...wanted, retainUntil: later }), 'protected');
    assert.deepEqual(await store.remove(stored, { signal }), { ...refusal, retainedUntil: later });
    assert.equal((await buffer(await store.get(stored, { signal }))).length, 100);
    const { Retention } = await plain.send(
      new GetObjectRetentionCommand({
        Bucket: lockBucket,
        Key: keyOf(stored),
        VersionId: stored.version ?? undefined,
      }),
    );
    assert.equal(Retention?.Mode, 'GOVERNANCE');
  });

  test('a compliance stays one, whatever mode the configuration has', async () => {
    const strict = fixture.store(lockBucket, { lockMode: 'compliance' });
    const stored = await strict.put(once(randomBytes(100)));
    // Short: nobody can remove the object before.
    const retainUntil = new Date(Date.now() + 60_000);
    await strict.protect(stored, { retainUntil, isHeld: false, signal });
    const longer = new Date(Date.now() + 120_000);
    await fixture.store(lockBucket).protect(stored, { retainUntil: longer, isHeld: false, signal });
    const named = { Bucket: lockBucket, Key: keyOf(stored), VersionId: stored.version ?? undefined };
    const { Retention } = await plain.send(new GetObjectRetentionCommand(named));
    assert.equal(Retention?.Mode, 'COMPLIANCE');
    await assert.rejects(plain.send(new DeleteObjectCommand({ ...named, BypassGovernanceRetention: true })));
  });

  test('a legal hold keeps an object until it is lifted', async () => {
    const store = fixture.store(lockBucket);
    const stored = await store.put(once(randomBytes(100)));
    const place = (isHeld: boolean) => store.protect(stored, { retainUntil: null, isHeld, signal });
    assert.equal(await place(true), 'protected');
    assert.deepEqual(await store.remove(stored, { signal }), {
      isRemoved: false,
      retainedUntil: null,
      isHeld: true,
    });
    assert.equal(await place(false), 'protected');
    assert.deepEqual(await store.remove(stored, { signal }), { isRemoved: true });
  });

  test('a bucket without Object Lock protects nothing, and says so', async () => {
    const store = fixture.store(bucket);
    const stored = await store.put(once(randomBytes(100)));
    assert.equal(await store.canProtect({ signal }), false);
    const wanted = { retainUntil: new Date(Date.now() + HOUR), isHeld: true, signal };
    assert.equal(await store.protect(stored, wanted), 'unsupported');
    assert.deepEqual(await store.remove(stored, { signal }), { isRemoved: true });
  });

  test('wrong credentials and a bucket that is missing are STORE_UNAVAILABLE: they say nothing of an object', async () => {
    const client = createS3Client({
      endpoint: server.endpoint,
      region: 'us-east-1',
      credentials: { ...server, secretAccessKey: 'wrong' },
    });
    const stranger = fixture.store(bucket, { client, patience: { tries: 1 } });
    const missing = fixture.store('no-such-bucket-here', { patience: { tries: 1 } });
    const known = await fixture.store(bucket).put(once(randomBytes(10)));
    const unknown: StoredObject = { ...known, locator: 's3://no-such-bucket-here/a' };
    const all = (store: ObjectStore, object: StoredObject) => [
      () => store.put(once(randomBytes(10))),
      () => store.get(object, { signal }),
      () => store.remove(object, { signal }),
    ];
    for (const work of [...all(stranger, known), ...all(missing, unknown)])
      await assert.rejects(work, { code: 'STORE_UNAVAILABLE' });
  });

  test('the configured store writes to its own bucket, and only reads the further ones', async () => {
    process.env['AWS_ACCESS_KEY_ID'] = server.accessKeyId;
    process.env['AWS_SECRET_ACCESS_KEY'] = server.secretAccessKey;
    const config = {
      store: `s3://${bucket}/scans`,
      dataDir: fixture.drafts,
      s3Endpoint: server.endpoint,
      s3Region: 'us-east-1',
      s3ReadBuckets: [lockBucket],
      s3LockMode: 'governance',
    } as const;
    const store = createStore(config);
    const foreign = await fixture.store(lockBucket).put(once(Buffer.from('theirs')));
    const own = await store.put(once(Buffer.from('ours')));
    assert.ok(own.locator.startsWith(`s3://${bucket}/scans/`));
    assert.equal((await buffer(await store.get(foreign, { signal }))).toString(), 'theirs');
    assert.equal((await store.stat(foreign, { signal })).sizeBytes, 6);
    await assert.rejects(store.remove(foreign, { signal }), { code: 'STORE_DENIED' });
    const third = { locator: 's3://third/a', version: null };
    await assert.rejects(store.get(third, { signal }), { code: 'LOCATOR_INVALID' });
    await mkdir(`${fixture.drafts}/objects`, { recursive: true });
    await writeFile(`${fixture.drafts}/objects/.docket-store`, '');
    const withFiles = createStore({ ...config, store: `file:${fixture.drafts}/objects` });
    assert.equal((await buffer(await withFiles.get(foreign, { signal }))).toString(), 'theirs');
    assert.ok((await withFiles.put(once(Buffer.from('a file')))).locator.startsWith('file:'));
  });

  test('a hundred megabytes pass in both directions in little memory', async () => {
    const store = fixture.store(bucket);
    const piece = randomBytes(1_000_000);
    // What waits for the collector is not held by the store.
    const memory = () => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers;
    };
    const before = memory();
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, memory())), 50);
    async function* large(): AsyncGenerator<Buffer> {
      for (let at = 0; at < 100; at += 1) yield await Promise.resolve(piece);
    }
    const stored = await store.put(large());
    let read = 0;
    for await (const got of await store.get(stored, { signal })) read += (got as Buffer).length;
    clearInterval(watching);
    assert.equal(read, 100_000_000);
    await store.remove(stored, { signal });
    assert.ok(most - before < 64_000_000, `${String(most - before)} bytes of buffers`);
  });
}
