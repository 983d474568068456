import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { CustodyStage } from './custody-stage.ts';
import { refused } from './refused.ts';

const database = await createTestDatabase();
const custody = await CustodyStage.open(database);
const { stage } = custody.further;
const olga = await createLogin(database, 'docket_operator');

const redrive = (
  code: string,
  more: { since?: string | null; limit?: number; reason?: string } = {},
): Promise<commands.RedriveRow[]> =>
  commands.redrive(olga.pool, { code, since: null, limit: 100, reason: 'the store is back', ...more });

/** Has a document fail by each of the codes in turn while it is verified, until it is quarantined. */
async function stop(job: string, codes: readonly string[]): Promise<void> {
  for (const code of codes) {
    await stage.fail(await stage.begin(job, 'hash'), code);
    await stage.hasten(job);
  }
  assert.equal((await stage.job(job))['state'], 'quarantined', codes.join(' '));
}
async function stopped(...codes: string[]): Promise<string> {
  const job = await stage.deliver();
  await stage.admit();
  await stop(job, codes);
  return job;
}
/** As often as a check of signatures may take too long. */
const TIMED_OUT = ['CHECK_TIMEOUT', 'CHECK_TIMEOUT', 'CHECK_TIMEOUT'];

test('what was stopped by the way is sent back: an event says by whom and why, codes are forgotten, senders are told', async () => {
  const job = await stopped(...TIMED_OUT);
  const other = await stopped('LOCATOR_INVALID');
  assert.deepEqual(await redrive('CHECK_TIMEOUT'), [{ job_id: job, state: 'accepted' }]);
  const { event, actor, reason, detail } = await stage.lastEvent(job);
  assert.deepEqual(
    [event, actor, reason, detail],
    ['redriven', olga.name, 'the store is back', { code: 'CHECK_TIMEOUT' }],
  );
  const row = await stage.job(job);
  assert.deepEqual([row['first_code'], row['last_code'], row['next_task']], [null, null, null]);
  const { rowCount } = await stage.db.query('select from docket.receipt_orders where job_id = $1', [job]);
  assert.equal(rowCount, 1);
  assert.equal((await stage.job(other))['state'], 'quarantined');
  assert.deepEqual(await redrive('CHECK_TIMEOUT'), []);
  await stage.admit();
  await stage.verify(await stage.begin(job, 'hash'));
});

test('codes that say something of the document stay with evidence owners, and one that is none is told', async () => {
  for (const code of ['HASH_MISMATCH', 'SIGNATURE_INVALID', 'CORRUPT', 'CRASH_LOOP', 'RETRY_EXHAUSTED'])
    await refused('ZD076', redrive(code));
  assert.equal((await refused('ZD073', redrive('NOSUCH'))).message, 'code: there is no code "NOSUCH"');
  await refused('ZD021', redrive('KEY_WRONG', { reason: '' }));
  for (const limit of [0, -1, 10_001]) await refused('ZD074', redrive('KEY_WRONG', { limit }));
  await refused(
    '42501',
    commands.redrive(custody.anna.pool, { code: 'KEY_WRONG', since: null, limit: 1, reason: 'x' }),
  );
});

test('what failed too often goes by its first failure and by its last, if both were of the way', async () => {
  const byLast = await stopped('OCR_TIMEOUT', ...TIMED_OUT);
  const byFirst = await stopped('OCR_TIMEOUT', ...TIMED_OUT);
  const crashedFirst = await stopped('OCR_CRASHED', ...TIMED_OUT);
  const crashedLast = await stopped('OCR_TIMEOUT', 'OCR_CRASHED', 'OCR_CRASHED');
  assert.deepEqual(await redrive('CHECK_TIMEOUT', { limit: 1 }), [{ job_id: byLast, state: 'accepted' }]);
  assert.deepEqual(await redrive('OCR_TIMEOUT'), [{ job_id: byFirst, state: 'accepted' }]);
  assert.deepEqual(await redrive('CHECK_TIMEOUT'), []);
  for (const job of [crashedFirst, crashedLast]) assert.equal((await stage.job(job))['state'], 'quarantined');
});

test('the oldest go first, no more than were asked for, and none from before the time that was stated', async () => {
  const first = await stopped(...TIMED_OUT);
  const { rows } = await stage.db.query<{ now: string }>('select clock_timestamp()::text as now');
  const second = await stopped(...TIMED_OUT);
  const third = await stopped(...TIMED_OUT);
  const ids = async (more: Parameters<typeof redrive>[1]) =>
    (await redrive('CHECK_TIMEOUT', more)).map((row) => row.job_id);
  assert.deepEqual(await ids({ since: rows[0]!.now, limit: 1 }), [second]);
  assert.deepEqual(await ids({ since: rows[0]!.now }), [third]);
  assert.deepEqual(await ids({}), [first]);
});

test('what an earlier version stopped at its first failure is sent back by that code', async () => {
  const job = await stopped('LOCATOR_INVALID');
  await stage.db.query(
    `update docket.jobs set first_code = 'STORE_DENIED', last_code = 'STORE_DENIED' where job_id = $1`,
    [job],
  );
  assert.deepEqual(await redrive('STORE_DENIED'), [{ job_id: job, state: 'accepted' }]);
});

test('what was disposed of is not sent back, by no way', async () => {
  const { job } = await custody.deliver();
  await stop(job, TIMED_OUT);
  await custody.request(job);
  await custody.approve(job);
  assert.deepEqual(await redrive('CHECK_TIMEOUT'), []);
  await refused(
    'ZD030',
    stage.db.query(
      `select docket.record_events(array[$1::uuid], array['redriven'], 'somebody', null, null, null, null)`,
      [job],
    ),
  );
});
