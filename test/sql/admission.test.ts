import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { AdmissionStage } from './admission-stage.ts';

const database = await createTestDatabase();
const admission = await AdmissionStage.open(database);
const { stage } = admission;
afterEach(() => admission.clear());

test('sources take turns, and who has least under way goes first', async () => {
  await admission.deliver('storm', 50);
  await admission.deliver('quiet', 3);
  assert.equal(await admission.admit(10), 10);
  assert.deepEqual(await admission.underWay(), { quiet: 3, storm: 7 });
  await admission.deliver('other', 50);
  assert.equal(await admission.admit(16), 6);
  assert.deepEqual(await admission.underWay(), { other: 6, quiet: 3, storm: 7 });
  assert.equal(await admission.admit(17), 1);
  assert.equal((await admission.underWay())['other'], 7);
});

test('where one place comes free at a time, no source takes all of them', async () => {
  for (const source of ['storm', 'quiet', 'other']) await admission.deliver(source, 40);
  for (let places = 1; places <= 30; places += 1) assert.equal(await admission.admit(places), 1);
  assert.deepEqual(await admission.underWay(), { other: 10, quiet: 10, storm: 10 });
});

test('what is beyond the window waits, and enters as places come free', async () => {
  await admission.deliver('storm', 12);
  assert.deepEqual([await admission.admit(5), await admission.admit(5)], [5, 0]);
  await admission.finish('storm', 2);
  assert.equal(await admission.admit(5), 2);
});

test('papers of a reserved lane have a window of their own, and go before the others in the queue', async () => {
  await admission.deliver('storm', 40);
  assert.equal(await admission.admit(10), 10);
  await admission.deliver('storm', 4, { kind: 'delivery_receipt' });
  assert.equal(await admission.admit(10), 4, 'a full lane keeps no critical paper out');
  assert.deepEqual(await admission.underWay({ lane: 'signature_critical' }), { storm: 4 });
  const { rows } = await stage.db.query(
    `select distinct j.lane, q.priority, t.identifier
     from graphile_worker._private_jobs q
     join graphile_worker._private_tasks t on t.id = q.task_id
     join docket.jobs j on j.job_id = (q.payload ->> 'job_id')::uuid
     where j.next_task is not null order by q.priority`,
  );
  assert.deepEqual(rows, [
    { lane: 'signature_critical', priority: 1, identifier: 'hash' },
    { lane: null, priority: 2, identifier: 'hash' },
  ]);
});

test('recognition is reserved for the lane of the paper, and done as the same task', async () => {
  const sender = await admission.sender('carrier-z');
  const job = await stage.deliver({ documentKind: 'exception_sheet' }, sender);
  await stage.admit();
  await stage.verify(await stage.begin(job, 'hash'));
  const { rows } = await stage.db.query(
    `select t.identifier, q.priority from graphile_worker._private_jobs q
     join graphile_worker._private_tasks t on t.id = q.task_id
     where q.payload ->> 'job_id' = $1 order by q.id desc limit 1`,
    [job],
  );
  assert.deepEqual(rows, [{ identifier: 'ocr_reserved', priority: 1 }]);
  const open = await stage.begin(job, 'ocr');
  assert.equal((await stage.job(job))['state'], 'running');
  await stage.fail(open, 'CORRUPT');
});

test('a lane is that of source and kind, else of the source, else of the kind', async () => {
  await admission.sender('customs');
  await stage.db.query(
    `insert into docket.lane_rules (source_id, document_kind, lane)
     values ('customs', null, 'signature_critical'), ('customs', 'terms', 'standard')`,
  );
  const { rows } = await stage.db.query<{ lane: string | null }>(
    `select docket.lane_of(source_id, kind) as lane
     from (values ('customs', 'unknown'), ('customs', 'terms'), ('customs', 'delivery_receipt'),
       ('carrier-a', 'unknown'), ('carrier-a', 'delivery_receipt')) as v (source_id, kind)`,
  );
  assert.deepEqual(
    rows.map((row) => row.lane),
    ['signature_critical', null, 'signature_critical', null, 'signature_critical'],
  );
  await admission.deliver('customs', 1);
  await admission.deliver('customs', 1, { kind: 'terms' });
  const { rows: lanes } = await stage.db.query(
    `select document_kind, lane from docket.jobs where source_id = 'customs' order by document_kind`,
  );
  assert.deepEqual(lanes, [
    { document_kind: 'terms', lane: null },
    { document_kind: 'unknown', lane: 'signature_critical' },
  ]);
});

test('a paper that turns out to be of another kind goes on in the lane of that kind', async () => {
  const first = await admission.sender('carrier-x');
  const second = await admission.sender('carrier-y');
  const job = await stage.deliver({ documentKind: 'unknown' }, first);
  const { rows: hashes } = await stage.db.query<{ sha256: Buffer }>(
    'select sha256 from docket.jobs where job_id = $1',
    [job],
  );
  await stage.deliver({ documentKind: 'delivery_receipt', sha256: hashes[0]!.sha256 }, second);
  await stage.admit();
  const open = await stage.begin(job, 'hash');
  const other = await stage.db.query<{ delivery_id: number }>(
    `select delivery_id from docket.deliveries where job_id = $1 and document_kind = 'delivery_receipt'`,
    [job],
  );
  await stage.verify(open, other.rows[0]!.delivery_id);
  assert.equal((await stage.job(job))['lane'], 'signature_critical');
  await stage.begin(job, 'ocr').then((attempt) => stage.fail(attempt, 'CORRUPT'));
});

test('the window of a lane is its own where it has one', async () => {
  await stage.db.query(`update docket.lanes set window_size = 3 where lane = 'signature_critical'`);
  await admission.deliver('storm', 10);
  await admission.deliver('storm', 10, { kind: 'delivery_receipt' });
  assert.equal(await admission.admit(5), 8);
  assert.deepEqual(await admission.underWay({ lane: 'signature_critical' }), { storm: 3 });
  assert.deepEqual(await admission.underWay({ lane: 'standard' }), { storm: 5 });
});

test('closed admission records and defers, of all, of a source or of a kind, and what is under way goes on', async () => {
  await admission.deliver('storm', 2);
  assert.equal(await admission.admit(), 2);
  await admission.close('all');
  await admission.deliver('storm', 3);
  await admission.deliver('quiet', 1);
  assert.equal(await admission.admit(), 0);
  await admission.finish('storm', 2);
  await stage.db.query(`delete from docket.admission_gates`);

  await admission.close('source:storm');
  assert.equal(await admission.admit(), 1);
  assert.deepEqual(await admission.underWay(), { quiet: 1 });
  await stage.db.query(`delete from docket.admission_gates`);

  await admission.close('kind:terms');
  await admission.deliver('quiet', 2, { kind: 'terms' });
  await admission.deliver('quiet', 2);
  assert.equal(await admission.admit(), 5, 'what is of another kind passes what is closed');
  await stage.db.query(`delete from docket.admission_gates`);
  assert.equal(await admission.admit(), 2);
});

test('a document that an open transaction holds waits for it, and holds up no others', async () => {
  await admission.deliver('storm', 3);
  const { rows } = await stage.db.query<{ job_id: string }>(
    `select job_id from docket.jobs where source_id = 'storm' and state = 'accepted' and next_task is null order by accepted_at`,
  );
  const client = await stage.db.connect();
  await client.query('begin');
  await client.query('select from docket.jobs where job_id = $1 for update', [rows[0]!.job_id]);
  const entered = await admission.admit();
  await client.query('rollback');
  client.release();
  assert.equal(entered, 2);
  assert.equal(await admission.admit(), 1);
});
