import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { OutageStage } from './outage-stage.ts';
import { openLease, Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const { db } = stage;
const outage = new OutageStage(stage);

type Row = Record<string, unknown>;

/** Lets a worker with this lease die: its session ends, and the reaper notices. */
async function die(opened: { lease: string; end(): Promise<void> }): Promise<void> {
  await db.query(
    `update docket.leases set deadline = clock_timestamp() - interval '1 s' where lease_id = $1`,
    [opened.lease],
  );
  await commands.reap(stage.worker);
}

/** Lets the workers and attempts that were lost so far be lost long ago. */
const letTimePass = () =>
  db.query(
    `update docket.leases set closed_at = closed_at - interval '1 hour' where closed_at is not null;
     update docket.attempts set ended_at = ended_at - interval '1 hour' where outcome = 'lost'`,
  );

async function lose(job: string, beside: string[] = []): Promise<string> {
  const opened = await openLease(database);
  for (const each of [job, ...beside])
    assert.equal((await outage.comeAgain(each, 'ocr', opened.lease))?.code, null);
  await die(opened);
  return (await stage.events(job)).at(-1)!;
}

async function codes(job: string): Promise<unknown[]> {
  const { rows } = await db.query<Row>(
    `select code from docket.attempts where job_id = $1 and outcome = 'lost' order by attempt`,
    [job],
  );
  return rows.map((row) => row['code']);
}

test('a document that was alone with its worker when that died, twice, is a crash loop', async () => {
  await letTimePass();
  const job = await stage.verified();
  assert.equal(await lose(job), 'ocr_lost');
  assert.equal(await lose(job), 'quarantined');
  assert.deepEqual(await codes(job), ['WORKER_KILLED', 'WORKER_KILLED']);
  const row = await stage.job(job);
  assert.deepEqual([row['first_code'], row['last_code']], ['WORKER_KILLED', 'CRASH_LOOP']);
});

test('what is released after a crash loop is verified, recognised and published like any other, each once', async () => {
  await letTimePass();
  const job = await stage.verified();
  for (let lost = 0; lost < 2; lost += 1) await lose(job);
  const owner = await createLogin(database, 'docket_evidence_owner');
  await owner.pool.query(`select docket.release_quarantined(array[$1::uuid], 'the workers are well again')`, [
    job,
  ]);
  await stage.admit();
  await stage.verify(await stage.begin(job, 'hash'));
  await stage.record(await stage.begin(job, 'ocr'));
  await stage.publish(await stage.begin(job, 'publish'));
  const events = await stage.events(job);
  assert.deepEqual(events.slice(events.indexOf('quarantined')), [
    'quarantined',
    'released',
    'admitted',
    'verified',
    'started',
    'extracted',
    'published',
  ]);
  assert.equal(events.filter((event) => event === 'verified').length, 2);
});

test('documents that were lost together are not accused, and neither is hashing, before five times', async () => {
  await letTimePass();
  const [one, two] = [await stage.verified(), await stage.verified()];
  const outcomes = [];
  for (let n = 0; n < 5; n += 1) outcomes.push(await lose(one, [two]));
  assert.deepEqual(outcomes, ['ocr_lost', 'ocr_lost', 'ocr_lost', 'ocr_lost', 'quarantined']);
  assert.deepEqual(await codes(one), Array(5).fill('WORKER_LOST'));
});

test('where other workers die too, a document is not accused for being there', async () => {
  await letTimePass();
  const job = await stage.verified();
  assert.equal(await lose(job), 'ocr_lost');
  await die(await openLease(database));
  assert.equal(await lose(job), 'ocr_lost');
  assert.deepEqual(await codes(job), ['WORKER_KILLED', 'WORKER_LOST']);
  await letTimePass();
  assert.equal(await lose(job), 'ocr_lost', 'since it was accused first another worker died');
});

test('a worker that lost its lease and lives accuses nothing', async () => {
  await letTimePass();
  const job = await stage.verified();
  for (let n = 0; n < 3; n += 1) {
    const opened = await openLease(database);
    assert.equal((await outage.comeAgain(job, 'ocr', opened.lease))?.code, null);
    await opened.end();
    await commands.closeLease(stage.worker, { lease: opened.lease });
  }
  assert.deepEqual(await codes(job), Array(3).fill('WORKER_LOST'));
  const { rows } = await db.query<Row>(
    'select close_reason from docket.leases order by closed_at desc nulls last limit 1',
  );
  assert.deepEqual(rows, [{ close_reason: 'survived' }]);
});
