import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { jobIdOf } from '../../src/domain/job-id.ts';
import { putScan } from '../../src/sealing/put-scan.ts';
import { spool } from '../../src/sealing/spool.ts';
import { createFileStore } from '../../src/store/file-store.ts';
import { createTestDatabase } from '../support/database.ts';
import { createSender } from '../support/logins.ts';
import { inPieces, scratchFolder, scratchKeyring, sha256 } from './sealed-stage.ts';

const database = await createTestDatabase();
const root = database.pool();
const carrierA = await createSender(database, 'carrier-a');
const carrierB = await createSender(database, 'carrier-b..c');
const folder = await scratchFolder();
const store = createFileStore(join(folder, 'objects'));
const keyring = await scratchKeyring();
const { signal } = new AbortController();
const sink = { store, keyring, db: carrierA.pool };

const offer = (scan: Buffer, stated = sha256(scan)) => ({
  sourceId: 'carrier-a',
  sha256: stated,
  bytes: inPieces(scan, 10_000),
  signal,
});

async function objectCount(): Promise<number> {
  const entries = await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries.filter((entry) => entry.isFile()).length;
}

async function rowOf(locator: string): Promise<Record<string, unknown> | undefined> {
  const { rows } = await root.query<Record<string, unknown>>(
    'select * from docket.object_keys where locator = $1',
    [locator],
  );
  return rows[0];
}

test('a scan is sealed into the folder of its source and recorded with its wrapped key', async () => {
  const scan = randomBytes(100_000);
  const put = await putScan(sink, offer(scan));
  assert.deepEqual([put.isNew, put.sizeBytes], [true, 100_000]);
  assert.match(put.object, /^file:carrier-a\/[0-9a-f]{2}\/[0-9a-f]{64}$/);
  const row = (await rowOf(put.object))!;
  assert.deepEqual(row['sha256'], sha256(scan));
  assert.deepEqual(row['sealed_sha256'], Buffer.from(put.object.slice(-64), 'hex'));
  assert.equal(row['sealed_by'], carrierA.name);
  assert.equal(
    (await store.stat({ locator: put.object, version: null }, { signal })).sizeBytes,
    Number(row['sealed_size_bytes']),
  );
  assert.equal(row['job_id'], jobIdOf(sha256(scan)));
});

test('the same scan again is compared, and not stored again; for another source it is sealed anew', async () => {
  const scan = randomBytes(5_000);
  const first = await putScan(sink, offer(scan));
  const again = await putScan(sink, offer(scan));
  assert.deepEqual([again.object, again.isNew, again.sizeBytes], [first.object, false, 5_000]);
  // Whoever merely knows the hash is not told where the object lies.
  await assert.rejects(putScan(sink, offer(randomBytes(5_000), sha256(scan))), { code: 'HASH_MISMATCH' });
  const other = await putScan({ ...sink, db: carrierB.pool }, { ...offer(scan), sourceId: 'carrier-b..c' });
  assert.notEqual(other.object, first.object);
  assert.match(other.object, /^file:carrier-b\._c\//);
});

test('a scan whose object is gone, cut or wrapped by a lost key is sealed anew', async () => {
  const scan = randomBytes(5_000);
  const first = await putScan(sink, offer(scan));
  await store.remove({ locator: first.object, version: null }, { signal });
  const second = await putScan(sink, offer(scan));
  assert.equal(second.isNew, true);
  const third = await putScan({ ...sink, keyring: await scratchKeyring() }, offer(scan));
  assert.equal(third.isNew, true);
});

test('a scan in whose place there is a link out of the store is sealed anew', async () => {
  const scan = randomBytes(5_000);
  const { object } = await putScan(sink, offer(scan));
  const path = join(folder, 'objects', object.slice('file:'.length));
  await rename(path, join(folder, 'moved'));
  await symlink(join(folder, 'moved'), path);
  const again = await putScan(sink, offer(scan));
  assert.equal(again.isNew, true);
  assert.notEqual(again.object, object);
  await rm(path);
});

test('other bytes than stated leave neither an object nor a row', async () => {
  const before = await objectCount();
  const scan = randomBytes(50_000);
  await assert.rejects(putScan(sink, offer(scan, randomBytes(32))), { code: 'HASH_MISMATCH' });
  await assert.rejects(putScan(sink, { ...offer(scan), sizeBytes: 49_999 }), { code: 'SIZE_MISMATCH' });
  const broken = async function* () {
    yield scan.subarray(0, 20_000);
    await Promise.resolve();
    throw new Error('the line broke');
  };
  await assert.rejects(putScan(sink, { ...offer(scan), bytes: broken() }), /the line broke/);
  const control = new AbortController();
  const stopped = putScan(sink, { ...offer(scan), signal: control.signal });
  control.abort(new Error('told to stop'));
  await assert.rejects(stopped, /told to stop/);
  assert.equal(await objectCount(), before);
  const { rows } = await root.query('select from docket.object_keys where sha256 = $1', [sha256(scan)]);
  assert.equal(rows.length, 0);
});

test('who may not deliver for the source puts nothing', async () => {
  const before = await objectCount();
  await assert.rejects(putScan({ ...sink, db: carrierB.pool }, offer(randomBytes(10))), { code: 'ZD010' });
  await root.query(`select docket.set_source_enabled('carrier-a', false)`);
  await assert.rejects(putScan(sink, offer(randomBytes(10))), { code: 'ZD017' });
  await root.query(`select docket.set_source_enabled('carrier-a', true)`);
  assert.equal(await objectCount(), before);
});

test('the same scan put twenty times at once can be read wherever it lies', async () => {
  const scan = randomBytes(20_000);
  const puts = await Promise.all(Array.from({ length: 20 }, () => putScan(sink, offer(scan))));
  for (const { object } of puts) assert.deepEqual((await rowOf(object))!['sha256'], sha256(scan));
});

test('bytes of unknown hash are set aside unreadably, come back as they were, and leave nothing', async () => {
  const aside = await scratchFolder();
  const scan = Buffer.concat([Buffer.alloc(200_000, 'IN THE CLEAR '), randomBytes(7)]);
  const spooled = await spool(inPieces(scan, 3_333), { folder: aside, maxBytes: scan.length, signal });
  assert.deepEqual([spooled.sha256, spooled.sizeBytes], [sha256(scan), scan.length]);
  for (let reading = 0; reading < 2; reading += 1) {
    const pieces: Uint8Array[] = [];
    for await (const piece of spooled.bytes()) pieces.push(piece);
    assert.ok(Buffer.concat(pieces).equals(scan));
  }
  const [file] = await readdir(aside);
  assert.ok(!(await readFile(join(aside, file!))).includes('IN THE CLEAR'));
  await spooled.remove();
  assert.deepEqual(await readdir(aside), []);

  const tooLarge = spool(inPieces(scan, 3_333), { folder: aside, maxBytes: 1_000, signal });
  await assert.rejects(tooLarge, { code: 'OBJECT_TOO_LARGE' });
  assert.deepEqual(await readdir(aside), []);
});
