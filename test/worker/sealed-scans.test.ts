import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type pg from 'pg';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { addKey } from '../../src/sealing/key-file.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import type { PutScan } from '../../src/sealing/put-scan.ts';
import { putScan } from '../../src/sealing/put-scan.ts';
import { rewrapKeys } from '../../src/sealing/rewrap.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

/** What becomes of sealed scans, seen through a whole worker. */
const fixture = await createFixture();
const { store, keyring, db } = fixture;
await fixture.addSource('carrier-b');
await db.query(
  `insert into docket.source_members (source_id, role_name) values ('carrier-a', 'postgres'), ('carrier-b', 'postgres')`,
);
const seen: string[] = [];
const nullEngine = createNullEngine();
const engine: typeof nullEngine = {
  ...nullEngine,
  async recognise(file, options) {
    seen.push(
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    );
    return nullEngine.recognise(file, options);
  },
};
await fixture.startWorker(engine);

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

async function put(
  sourceId = 'carrier-a',
  scan = Buffer.concat([PNG, randomBytes(150_000)]),
): Promise<PutScan> {
  const sha256 = createHash('sha256').update(scan).digest();
  const bytes = (async function* () {
    yield await Promise.resolve(scan);
  })();
  return putScan({ store, keyring, db }, { sourceId, sha256, bytes, signal: new AbortController().signal });
}

/** Delivers an object as sealed; returns the job. */
async function deliver(object: PutScan, sourceId = 'carrier-a', client: pg.Pool = db): Promise<string> {
  const { rows } = await client.query<{ job_id: string }>(
    `insert into docket.submissions (source_id, sha256, locator, version, size_bytes, media_type, captured_at)
     values ($1, $2, $3, $4, $5, 'image/png', now() - interval '1 minute') returning job_id`,
    [sourceId, object.sha256, object.object, object.version, object.sizeBytes],
  );
  return rows[0]!.job_id;
}

/** How the job ended: its state, the code of what went wrong, and whether recognition saw anything of it. */
async function ended(
  job: string,
  object: PutScan,
): Promise<[state: string, code: string | null, recognised: boolean]> {
  const { state, code } = await eventually('the job ended', async () => {
    const { rows } = await db.query<{ state: string; code: string | null }>(
      `select state, last_code as code from docket.jobs where job_id = $1 and state in ('published', 'quarantined')`,
      [job],
    );
    return rows[0];
  });
  return [state, code, seen.includes(object.sha256.toString('hex'))];
}

const pathOf = (object: PutScan) =>
  join(fixture.config.dataDir, 'objects', object.object.slice('file:'.length));

async function alter(object: PutScan, change: (bytes: Buffer) => Buffer): Promise<void> {
  await writeFile(pathOf(object), change(await readFile(pathOf(object))));
}

test('a sealed scan is read, recognised and published; in the store it cannot be read', async () => {
  const scan = Buffer.concat([PNG, Buffer.alloc(100_000, 'signed by the consignee ')]);
  const object = await put('carrier-a', scan);
  assert.deepEqual(await ended(await deliver(object), object), ['published', null, true]);
  assert.ok(!(await readFile(pathOf(object))).includes('consignee'));
});

test('a flipped bit and a cut are OBJECT_DAMAGED; nothing of the scan reaches recognition', async () => {
  const flipped = await put();
  await alter(flipped, (bytes) => {
    bytes[bytes.length - 100]! ^= 1;
    return bytes;
  });
  assert.deepEqual(await ended(await deliver(flipped), flipped), ['quarantined', 'OBJECT_DAMAGED', false]);
  const cut = await put();
  await alter(cut, (bytes) => bytes.subarray(0, 100_000));
  assert.deepEqual(await ended(await deliver(cut), cut), ['quarantined', 'OBJECT_DAMAGED', false]);
});

test('two objects that changed places are OBJECT_SWAPPED', async () => {
  const [one, other] = [await put(), await put()];
  const bytes = await readFile(pathOf(other));
  await alter(one, () => bytes);
  assert.deepEqual(await ended(await deliver(one), one), ['quarantined', 'OBJECT_SWAPPED', false]);
});

test('a key that another one wraps is KEY_WRONG, and a row that is missing KEY_MISSING', async () => {
  const [one, other, third] = [await put(), await put(), await put()];
  await db.query(`update docket.failure_codes set is_retryable = false where code = 'KEY_WRONG'`);
  await db.query(
    `update docket.object_keys k set wrapped_key = (select wrapped_key from docket.object_keys where locator = $2) where locator = $1`,
    [one.object, other.object],
  );
  assert.deepEqual(await ended(await deliver(one), one), ['quarantined', 'KEY_WRONG', false]);

  await db.query(`
    alter table docket.object_keys disable trigger all;
    delete from docket.object_keys where locator = '${third.object}';
    alter table docket.object_keys enable always trigger _200_are_kept;
    alter table docket.object_keys enable always trigger _200_never_truncated`);
  assert.deepEqual(await ended(await deliver(third), third), ['quarantined', 'KEY_MISSING', false]);
});

test('an object that was sealed for one source shows nothing of another that names it', async () => {
  const object = await put('carrier-a');
  assert.deepEqual(await ended(await deliver(object, 'carrier-b'), object), [
    'quarantined',
    'LOCATOR_TAKEN',
    false,
  ]);
});

test('a further source sees a document by a sealed copy of its own, and not by that of the first', async () => {
  const scan = Buffer.concat([PNG, randomBytes(1_000)]);
  const first = await put('carrier-a', scan);
  const job = await deliver(first);
  await ended(job, first);
  await deliver(first, 'carrier-b');
  const refused = await eventually('the check ended', async () => {
    const events = await fixture.events(job);
    return events.find((event) => event.startsWith('delivery_'));
  });
  assert.equal(refused, 'delivery_refused');
  await deliver(await put('carrier-b', scan), 'carrier-b');
  await eventually('the second check ended', async () =>
    (await fixture.events(job)).includes('delivery_verified'),
  );
});

test('a sealed scan that is declared to lie in the clear is not taken for the scan', async () => {
  const object = await put();
  const [job] = await fixture.deliver({ ...object, locator: object.object });
  assert.deepEqual(await ended(job!, object), ['quarantined', 'SIZE_MISMATCH', false]);
});

test('a damaged object is sealed anew when the scan is put again, and the document goes on', async () => {
  const scan = Buffer.concat([PNG, randomBytes(1_000)]);
  const object = await put('carrier-a', scan);
  await alter(object, (bytes) => bytes.fill(0, 900));
  const job = await deliver(object);
  assert.deepEqual(await ended(job, object), ['quarantined', 'OBJECT_DAMAGED', false]);
  const again = await put('carrier-a', scan);
  assert.equal(again.isNew, true);
  await deliver(again);
  await eventually('it is published', async () => (await fixture.states([job]))[0] === 'published');
});

test('a worker refuses to start without a key that is in use, and names it', async () => {
  await put();
  const { current } = await keyring.keyIds();
  const stranger = await openKeyring({
    ...fixture.config,
    keyFile: join(fixture.config.dataDir, 'other-keys.json'),
  });
  await assert.rejects(
    startWorker({ config: fixture.config, store, keyring: stranger, engine, log: fixture.log }),
    (error: Error & { code?: string }) =>
      error.code === 'CONFIG_KEY_MISSING' && error.message.includes(current),
  );
});

test('after a rotation all keys are wrapped anew in batches, objects stay as they are, and the old key is no longer needed', async () => {
  const object = await put();
  const before = await readFile(pathOf(object));
  const { id } = await addKey(fixture.config.keyFile);
  const { signal } = new AbortController();
  const { rewrapped, failed } = await rewrapKeys(db, keyring, { signal });
  const { rows } = await db.query<{ key_id: string; count: number }>(
    'select key_id, count(*)::int as count from docket.object_keys group by key_id order by key_id = $1',
    [id],
  );
  // the key that was put in the place of another above
  assert.equal(
    [...failed.values()].reduce((sum, count) => sum + count, 0),
    1,
  );
  assert.deepEqual(rows.at(-1), { key_id: id, count: rewrapped });
  assert.deepEqual(await readFile(pathOf(object)), before);
  assert.deepEqual(await ended(await deliver(object), object), ['published', null, true]);
  assert.equal((await rewrapKeys(db, keyring, { signal })).rewrapped, 0);
});
