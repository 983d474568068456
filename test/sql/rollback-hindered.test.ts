import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { OutageStage } from './outage-stage.ts';
import { RollbackStage } from './rollback-stage.ts';
import type { Open } from './stage.ts';
import { openLease, Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const outage = new OutageStage(stage);
const olga = await createLogin(database, 'docket_operator');
const rollback = new RollbackStage(database, stage, olga.pool);
const start = (drain = '1 hour') => commands.startRollback(olga.pool, { reason: 'it reads badly', drain });

/** Has documents fail until the engine counts as down on the host. */
async function failEngine(readings: Open[]): Promise<void> {
  for (const reading of readings) await stage.fail(reading, 'OCR_UNAVAILABLE');
  assert.equal((await outage.breaker('engine'))?.['state'], 'open');
}

test('an engine that is down by the bad configuration alone does not hinder the restoring of the good one', async () => {
  const { bad } = await rollback.activate();
  await failEngine([await stage.running(), await stage.running(), await stage.running()]);
  await start();
  await rollback.advanceTo('done');
  assert.notEqual((await rollback.choice())[0], bad);
});

test('while the engine is down by the good configuration too wherever a worker is, the rollback waits with admission closed', async () => {
  const { good } = await rollback.activate();
  await start();
  await rollback.advanceTo('restore');
  const { rows } = await stage.db.query<{ job_id: string }>(
    `select job_id from docket.jobs where next_task = 'ocr' and token is null`,
  );
  const [first] = rows;
  await outage.letProbe();
  const tried = await outage.comeAgain(first!.job_id, 'ocr');
  assert.equal(tried?.ocr_version, good);
  await stage.fail(tried, 'OCR_UNAVAILABLE');
  const failed = await rollback.advance();
  assert.deepEqual(
    [failed?.has_failed, failed?.waits_for],
    [true, `the next try: the engine is down on every host with a worker, by OCR configuration ${good} too`],
  );
  assert.equal(await rollback.isClosed(), true);

  await outage.letProbe();
  await stage.record((await outage.comeAgain(first!.job_id, 'ocr'))!);
  assert.equal(await outage.breaker('engine'), undefined, 'it works again');
  await rollback.hasten();
  await rollback.advanceTo('done');
});

test('an operator leaves each step to the workers for ten seconds, then does it; where there is none, at once', async () => {
  const { bad, good } = await rollback.activate();
  const reading = await stage.running();
  await start('1 hour');
  assert.equal((await rollback.advance(olga.pool))?.waits_for, 'a worker, which does it');
  await stage.db.query(
    `update docket.rollbacks set stepped_at = stepped_at - interval '11 s' where ended_at is null`,
  );
  assert.equal((await rollback.advance(olga.pool))?.step, 'drain');
  assert.equal((await rollback.advance(olga.pool))?.waits_for, 'a worker, which does it');

  // the worker dies, and nobody is there who would notice
  await stage.db.query(`update docket.leases set deadline = clock_timestamp() - interval '1 minute'`);
  await rollback.advanceTo('done', olga.pool);
  const event = await stage.lastEvent(reading.job_id);
  assert.deepEqual(
    [event['event'], event['code'], event['actor']],
    ['ocr_recalled', 'OCR_VERSION_WITHDRAWN', olga.name],
  );
  assert.equal((await stage.record(reading)).outcome, 'stale', 'if it was not dead after all');
  assert.deepEqual(
    (await rollback.story()).map((one) => [one.event, one.actor]),
    [
      ['rollback_ordered', olga.name],
      ['controls_changed', olga.name],
      ...Array.from({ length: 3 }, () => ['rollback_pushed', olga.name]),
      ['controls_changed', olga.name],
      ['rollback_pushed', olga.name],
    ],
  );
  assert.deepEqual(await rollback.choice(), [good, good, null, null]);
  const { lease } = await openLease(database);
  stage.lease = lease;
  const again = await stage.begin(reading.job_id, 'ocr');
  assert.deepEqual([again.ocr_version, again.attempt], [good, reading.attempt + 1]);
  assert.notEqual(again.ocr_version, bad);
});
