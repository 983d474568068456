import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { AdmissionStage } from './admission-stage.ts';
import { tamper } from './log-forger.ts';
import { sealAll } from './log-stage.ts';

const database = await createTestDatabase();
const admission = await AdmissionStage.open(database);
const { stage } = admission;
const { db } = stage;

afterEach(quiet);

/** Leaves no limit and no gate, and nothing that waits, is under way, is not sealed or is to be told. */
async function quiet(): Promise<void> {
  await tamper(db, (client) =>
    client.query(
      `delete from docket.flow_limits; delete from docket.flow_states; delete from docket.admission_gates;
       delete from docket.receipt_orders; delete from docket.jobs where state <> 'published'`,
    ),
  );
  await sealAll(stage.worker);
}

interface Health {
  measure: string;
  group_name: string;
  documents: string | null;
  oldest_at: string;
  oldest_seconds: number;
  job_id: string | null;
}

const health = async (by: string): Promise<Health[]> => commands.queueHealth(stage.worker, { by });

/** `measure group` with the number of documents. */
async function counts(by: string): Promise<Record<string, number | null>> {
  const rows = await health(by);
  return Object.fromEntries(
    rows
      .filter(({ measure }) => measure !== 'unsealed' && measure !== 'untold')
      .map((row) => [
        `${row.measure} ${row.group_name}`.trim(),
        row.documents === null ? null : Number(row.documents),
      ]),
  );
}

const of = async (measure: string, by = 'all', group = '') =>
  (await health(by)).find((row) => row.measure === measure && row.group_name === group);

/** As if documents had been accepted so many seconds earlier; the longer ago, the more of them there were before. */
async function older(seconds: number, source = '%'): Promise<void> {
  await tamper(db, (client) =>
    client.query(
      `update docket.jobs set accepted_at = accepted_at - make_interval(secs => $1), state_at = state_at - make_interval(secs => $1)
       where source_id like $2`,
      [seconds, source],
    ),
  );
}

test('a quiet system has no rows, by whatever it is asked', async () => {
  await stage.published();
  await quiet();
  for (const by of ['all', 'lane', 'source', 'kind', 'pool']) assert.deepEqual(await health(by), [], by);
});

test('each stage is counted where it belongs, with the oldest of it and since when', async () => {
  const waiting = await stage.deliver({ documentKind: 'delivery_receipt' });
  await stage.deliver();
  const before = await db.query<{ accepted_at: string }>(
    'select accepted_at from docket.jobs where job_id = $1',
    [waiting],
  );
  await db.query('select docket.admit(0)');
  assert.deepEqual(await counts('all'), { waiting: 2, undeferred: 2 });
  const oldest = await of('waiting');
  assert.equal(oldest!.job_id, waiting);
  assert.equal(oldest!.oldest_at, before.rows[0]!.accepted_at);
  assert.ok(oldest!.oldest_seconds >= 0);
  assert.deepEqual(await counts('lane'), {
    'waiting signature_critical': 1,
    'waiting standard': 1,
    'undeferred signature_critical': 1,
    'undeferred standard': 1,
  });

  await stage.admit();
  const running = await stage.begin(waiting, 'hash');
  assert.deepEqual(await counts('all'), { admitted: 1, running: 1 });
  assert.deepEqual(await counts('kind'), { 'admitted unknown': 1, 'running delivery_receipt': 1 });
  assert.deepEqual(await counts('pool'), { 'admitted io': 1, 'running io': 1 });
  const started = await db.query<{ at: string }>(
    'select started_at as at from docket.attempts where job_id = $1',
    [waiting],
  );
  assert.equal((await of('running'))!.oldest_at, started.rows[0]!.at);

  await stage.verify(running);
  const due = await db.query<{ at: string }>(
    `select at from docket_audit.events where job_id = $1 and event = 'verified'`,
    [waiting],
  );
  assert.equal((await of('admitted', 'pool', 'ocr_reserved'))!.oldest_at, due.rows[0]!.at);
  const job = await stage.validated();
  const validated = await db.query<{ at: string }>(
    `select at from docket_audit.events where job_id = $1 and event = 'extracted'`,
    [job],
  );
  assert.deepEqual(await counts('all'), { admitted: 3, unpublished: 1 });
  assert.deepEqual(
    [(await of('unpublished'))!.oldest_at, (await of('unpublished'))!.job_id],
    [validated.rows[0]!.at, job],
  );
  assert.deepEqual(await counts('pool'), { 'admitted io': 2, 'admitted ocr_reserved': 1 });
});

test('what waits for its retry is admitted, and recognition counts in its pool', async () => {
  const open = await stage.running();
  assert.deepEqual(await counts('pool'), { 'running ocr': 1 });
  await stage.fail(open, 'OCR_TIMEOUT');
  assert.deepEqual(await counts('pool'), { 'admitted ocr': 1 });
  assert.deepEqual(await counts('source'), { 'admitted carrier-a': 1 });
});

test('closed admission of all, of a source and of a kind defers what it holds, and nothing else', async () => {
  await admission.deliver('storm', 3, { kind: 'bill_of_lading' });
  await admission.deliver('storm', 2);
  await admission.deliver('quiet', 4);
  const all = { 'waiting quiet': 4, 'waiting storm': 5 };
  assert.deepEqual(await counts('source'), { ...all, 'undeferred quiet': 4, 'undeferred storm': 5 });
  await admission.close('source:quiet');
  assert.deepEqual(await counts('source'), { ...all, 'undeferred storm': 5 });
  await admission.close('kind:bill_of_lading');
  assert.deepEqual(await counts('source'), { ...all, 'undeferred storm': 2 });
  assert.deepEqual(await counts('kind'), {
    'waiting bill_of_lading': 3,
    'waiting unknown': 6,
    'undeferred unknown': 2,
  });
  await admission.close('all');
  assert.deepEqual(await counts('all'), { waiting: 9 });
});

test('a rate of a source, or of all, defers what it has no room for, and tells its age since it had', async () => {
  // a token in 100 s
  await admission.limit('source:storm', { documents_per_minute: 0.6, documents_burst: 2 });
  await admission.deliver('storm', 20);
  await older(3_600);
  assert.deepEqual(
    await counts('source'),
    { 'waiting storm': 20, 'undeferred storm': 2 },
    'a burst has room',
  );
  assert.equal((await of('undeferred'))!.oldest_at, (await of('waiting'))!.oldest_at);
  assert.equal(await admission.admit(), 2);
  assert.equal((await counts('all'))['waiting'], 18);
  assert.equal((await counts('all'))['undeferred'], undefined);
  // half a minute after there was room for one more, half a minute is what nobody meant it to wait
  await admission.pass(130);
  const late = await of('undeferred');
  assert.equal(late!.documents, '1');
  const { rows } = await db.query<{ at: string }>(
    `select documents_tat - interval '100 seconds' as at from docket.flow_states where target = 'source:storm'`,
  );
  assert.equal(late!.oldest_at, rows[0]!.at);
  assert.ok(late!.oldest_seconds >= 30 && late!.oldest_seconds < 3_600);
  await quiet();

  await admission.limit('all', { pages_per_minute: 0.6, pages_burst: 3 });
  await admission.deliver('storm', 20);
  await admission.deliver('quiet', 20);
  assert.equal(await admission.admit(), 3);
  assert.equal((await counts('all'))['undeferred'], undefined);
});

test('memory of all that is taken defers what would need more', async () => {
  await admission.limit('all', { max_in_flight_mb: 400 });
  await admission.deliver('storm', 5);
  assert.equal((await counts('all'))['undeferred'], 5);
  assert.equal(await admission.admit(), 2);
  assert.deepEqual(await counts('all'), { admitted: 2, waiting: 3 });
});

test('what is not sealed and what is not told is told by its oldest', async () => {
  const job = await stage.deliver();
  await db.query(`update docket.receipt_orders set due_at = clock_timestamp() - interval '1 minute'`);
  const { rows } = await db.query<{ at: string; due_at: string }>(
    `select (select at from docket_audit.events where job_id = $1) as at, due_at from docket.receipt_orders where job_id = $1`,
    [job],
  );
  const { oldest_seconds: unsealedSeconds, ...unsealed } = (await of('unsealed'))!;
  assert.deepEqual(unsealed, {
    ...{ measure: 'unsealed', group_name: '', documents: '1', oldest_at: rows[0]!.at, job_id: job },
  });
  assert.ok(unsealedSeconds >= 0);
  const { oldest_seconds: untoldSeconds, ...untold } = (await of('untold', 'source', 'carrier-a'))!;
  assert.deepEqual(untold, {
    ...{
      measure: 'untold',
      group_name: 'carrier-a',
      documents: '1',
      oldest_at: rows[0]!.due_at,
      job_id: job,
    },
  });
  assert.ok(untoldSeconds >= 60);
  assert.deepEqual(
    { ...(await of('untold'))!, oldest_seconds: 0, group_name: 'carrier-a' },
    { ...untold, oldest_seconds: 0 },
  );
  await db.query(`update docket.receipt_orders set due_at = clock_timestamp() + interval '1 hour'`);
  await sealAll(stage.worker);
  assert.deepEqual([await of('unsealed'), await of('untold')], [undefined, undefined]);
});

test('counting ends where it would take long, and the oldest is still found', async () => {
  await admission.deliver('storm', 10_001);
  await admission.deliver('quiet', 3);
  await older(60, 'quiet');
  const rows = await health('source');
  assert.deepEqual(
    rows.filter((row) => row.measure === 'waiting').map((row) => [row.group_name, row.documents]),
    [
      ['quiet', '3'],
      ['storm', null],
    ],
  );
  const oldest = await of('waiting');
  const { rows: first } = await db.query<{ job_id: string }>(
    `select job_id from docket.jobs where source_id = 'quiet' order by accepted_at, job_id limit 1`,
  );
  assert.deepEqual([oldest!.documents, oldest!.job_id], [null, first[0]!.job_id]);
});

test('a word that ages are not told by is refused', async () => {
  await assert.rejects(health('colour'), { code: 'ZD073' });
  await assert.rejects(commands.agePercentiles(stage.worker, { by: 'pool' }), { code: 'ZD073' });
});
