import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { RollbackStage } from './rollback-stage.ts';
import { named, Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const olga = await createLogin(database, 'docket_operator');
const rollback = new RollbackStage(database, stage, olga.pool);
const start = (drain = '1 hour') => commands.startRollback(olga.pool, { reason: 'it reads badly', drain });

/** A row of docket.attempts. */
async function attempt(job: string, number: number): Promise<Record<string, unknown>> {
  const { rows } = await stage.db.query<Record<string, unknown>>(
    'select * from docket.attempts where job_id = $1 and attempt = $2',
    [job, number],
  );
  return rows[0]!;
}

test('what is being read may end, what begins meanwhile is read by the restored configuration, and what is published stays', async () => {
  const { bad, good } = await rollback.activate();
  const reading = await stage.running();
  assert.equal(reading.ocr_version, bad);
  const waiting = await stage.verified();
  await start();
  await rollback.advanceTo('drain');
  const row = await rollback.advance();
  assert.equal(row?.waits_for, `1 document being read by OCR configuration ${bad}`);

  const begun = await stage.begin(waiting, 'ocr');
  assert.equal(begun.ocr_version, good);
  await stage.record(begun);
  assert.equal((await rollback.advance())?.step, 'drain', 'the other one is still being read');
  assert.equal((await stage.record(reading)).outcome, 'validated');
  await rollback.advanceTo('done');
  assert.equal((await rollback.newest())['taken_back'], 0);
  await stage.publish(await stage.begin(reading.job_id, 'publish'));
  const { rows } = await olga.pool.query(
    'select job_id, state from docket.ocr_version_documents where ocr_version = $1',
    [bad],
  );
  assert.deepEqual(rows, [{ job_id: reading.job_id, state: 'published' }]);
  assert.deepEqual(
    await commands.rollbackSummary(olga.pool, {
      rollback: (await rollback.newest())['rollback_id'] as number,
    }),
    [{ published: '1', validated: '0', quarantined: '0' }],
  );
});

test('what does not end in time is taken back: it counts as no try, a late result is stale, and it is read again at once', async () => {
  const { bad, good } = await rollback.activate();
  const reading = await stage.running();
  await start();
  await rollback.advanceTo('drain');
  assert.equal((await rollback.advance())?.step, 'drain');
  await rollback.endDraining();
  await rollback.advanceTo('restore');
  assert.equal((await rollback.newest())['taken_back'], 1);

  const ended = await attempt(reading.job_id, reading.attempt);
  assert.deepEqual(
    [ended['outcome'], ended['code'], ended['ocr_version']],
    ['failed', 'OCR_VERSION_WITHDRAWN', bad],
  );
  const event = await stage.lastEvent(reading.job_id);
  assert.deepEqual([event['event'], event['code']], ['ocr_retry', 'OCR_VERSION_WITHDRAWN']);
  const job = await stage.job(reading.job_id);
  assert.deepEqual([job['state'], job['tries'], job['first_code']], ['accepted', 0, null]);
  assert.equal((await stage.record(reading)).outcome, 'stale');
  assert.deepEqual(
    await commands.endedReadings(stage.worker, {
      jobs: [reading.job_id, reading.job_id],
      attempts: [reading.attempt, reading.attempt + 1],
    }),
    [{ job_id: reading.job_id, attempt: reading.attempt }],
  );

  const again = await stage.begin(reading.job_id, 'ocr');
  assert.equal(again.ocr_version, good, 'before it is restored');
  await rollback.advanceTo('done');
  assert.equal((await stage.record(again)).outcome, 'validated');
  assert.match(
    (await rollback.story()).find(({ detail }) => detail['step'] === 'drain')!.reason,
    /1 document was taken back/,
  );
});

test('an attempt that began by what was chosen before, in a transaction that is still open, is waited for', async () => {
  const { bad } = await rollback.activate();
  const job = await stage.verified();
  const refs = [await stage.ref(job, 'ocr')];
  const slow = await stage.worker.connect();
  try {
    await slow.query('begin');
    const [begun] = await commands.beginAttempts(slow, {
      jobs: [job],
      refs,
      task: 'ocr',
      lease: stage.lease,
    });
    assert.equal(begun!.ocr_version, bad);
    await start();
    await rollback.advanceTo('drain');
    for (let round = 0; round < 3; round += 1)
      assert.equal((await rollback.advance())?.waits_for, 'transactions that began before');
    await slow.query('commit');
    assert.match((await rollback.advance())?.waits_for ?? '', /1 document being read/);
    await commands.recordResults(stage.worker, {
      ...named(begun!),
      configs: [stage.config],
      results: [JSON.stringify({ pages_declared: 1, pages_decoded: 1, warnings: [], pages: [] })],
    });
  } finally {
    slow.release(true);
  }
  await rollback.advanceTo('done');
  assert.equal((await stage.job(job))['state'], 'quarantined');
  const { rows } = await stage.db.query(
    'select job_id, state, code from docket.ocr_version_documents where ocr_version = $1',
    [bad],
  );
  assert.deepEqual(rows, [{ job_id: job, state: 'quarantined', code: 'PAGE_COUNT_MISMATCH' }]);
});

test('a document that somebody keeps locked holds it up for a minute beyond the time to drain, and no longer', async () => {
  const { bad } = await rollback.activate();
  const reading = await stage.running();
  await start('0 s');
  const holder = await stage.db.connect();
  try {
    await holder.query('begin');
    await holder.query('select from docket.jobs where job_id = $1 for update', [reading.job_id]);
    await rollback.advanceTo('drain');
    assert.match((await rollback.advance())?.waits_for ?? '', /1 document being read/);
    await stage.db.query(
      `update docket.rollbacks set drain_until = drain_until - interval '1 minute' where ended_at is null`,
    );
    await rollback.advanceTo('reopen');
    await holder.query('commit');
  } finally {
    holder.release();
  }
  await rollback.advanceTo('done');
  assert.deepEqual((await rollback.story()).at(-1)!.detail['taken_back'], 1, 'in the last step');
  assert.equal((await attempt(reading.job_id, reading.attempt))['ocr_version'], bad);
  assert.equal((await stage.record(reading)).outcome, 'stale');
});

test('a step that fails is recorded once, leaves admission closed, is tried again later and later, and is done once it can be', async () => {
  const { bad, good } = await rollback.activate();
  await start();
  await rollback.advanceTo('restore');
  await stage.db.query(`
    create function docket.break_it() returns trigger language plpgsql as $$ begin raise exception 'out of order'; end $$;
    create trigger breaks before update on docket.ocr_choice for each row execute function docket.break_it()`);
  const failed = {
    step: 'restore',
    is_over: false,
    waits_for: 'the next try: out of order',
    has_failed: true,
  };
  for (const tries of [1, 2, 3]) {
    const { rollback_id: _, ...row } = (await rollback.advance())!;
    assert.deepEqual(row, failed);
    assert.equal((await rollback.newest())['failures'], tries);
    // as if it had only just failed, on a machine of any speed
    await stage.db.query(
      `update docket.rollbacks set failed_at = clock_timestamp() + interval '1 hour' where ended_at is null`,
    );
    assert.equal((await rollback.advance())?.has_failed, true);
    assert.equal((await rollback.newest())['failures'], tries, 'it is not tried at once');
    await rollback.hasten();
    await rollback.hasten();
  }
  assert.deepEqual([await rollback.isClosed(), await rollback.choice()], [true, [bad, good, null, good]]);
  await stage.db.query('drop trigger breaks on docket.ocr_choice');
  await rollback.hasten();
  await rollback.advanceTo('done');
  assert.deepEqual(
    (await rollback.story()).filter(({ event }) => event === 'rollback_failed').map(({ reason }) => reason),
    [
      `Rollback ${String((await rollback.newest())['rollback_id'])}, restore failed, and is tried again: out of order`,
    ],
  );
  assert.equal((await rollback.newest())['failure'], null);
});
