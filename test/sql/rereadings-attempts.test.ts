import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { openLease } from './stage.ts';
import { refused } from './refused.ts';
import { reading, RereadStage } from './reread-stage.ts';

const database = await createTestDatabase();
const rereads = await RereadStage.open(database);
const { stage } = rereads;
const { db } = stage;

test('what fails for a passing reason is tried again later, and not for ever; what fails for good ends', async () => {
  const job = await stage.published();
  const [id] = await rereads.order([job]);
  for (let tries = 1; tries < 4; tries += 1) {
    const row = await rereads.record(await rereads.claimOne(), {
      code: 'OCR_ENGINE_FAILED',
      message: `seen ${tries}`,
    });
    assert.deepEqual([row.outcome, row.code], ['retry', 'OCR_ENGINE_FAILED']);
    assert.equal((await rereads.rereading(id!)).is_due, false);
    assert.equal((await rereads.claim()).length, 0, 'not before its time');
    await rereads.timePasses();
  }
  await rereads.record(await rereads.claimOne(), { code: 'WORKER_STOPPING' });
  await rereads.timePasses();
  const last = await rereads.record(await rereads.claimOne(), { code: 'OCR_ENGINE_FAILED' });
  assert.deepEqual([last.outcome, last.code], ['failed', 'OCR_ENGINE_FAILED']);
  const ended = await rereads.rereading(id!);
  assert.deepEqual([ended.outcome, ended.tries, ended.attempts.length], ['failed', 4, 5]);
  const { event, code } = await stage.lastEvent(job);
  assert.deepEqual([event, code], ['reread_ended', 'OCR_ENGINE_FAILED']);

  assert.equal(await rereads.reread(job, { code: 'CORRUPT' }), 'failed');
  await rereads.order([job]);
  const claimed = await rereads.claimOne();
  await refused('ZD022', rereads.record(claimed, { code: 'NO_SUCH_CODE' }));
  await refused('ZD041', rereads.record(claimed, { result: '{"pages": []}' }));
  assert.equal((await rereads.record(claimed, { code: 'CORRUPT' })).outcome, 'failed');
});

test('a worker that lost its lease can record nothing, and another one reads the document', async () => {
  const job = await stage.published();
  const [id] = await rereads.order([job]);
  const late = await rereads.claimOne();
  const own = stage.lease;
  const other = await openLease(database);
  await commands.closeLease(stage.worker, { lease: own });
  assert.deepEqual((await rereads.rereading(id!)).attempts, ['lost WORKER_LOST']);
  stage.lease = other.lease;
  const next = await rereads.claimOne();
  assert.deepEqual([next.rereading_id, next.attempt], [id, 2]);
  assert.equal((await rereads.record(late, { result: reading('Too late') })).outcome, 'stale');
  assert.equal((await rereads.record({ ...next, token: late.token }, { code: 'CORRUPT' })).outcome, 'stale');
  assert.equal((await rereads.record(next, { result: reading('In time for it') })).outcome, 'superseded');
  assert.equal((await rereads.record(next, { result: reading('Twice, for it') })).outcome, 'stale');
  assert.equal(await rereads.text(job), 'In time for it');
  await rereads.order([job]);
  await refused('ZD040', rereads.claim(1, own));
  assert.equal((await rereads.record(await rereads.claimOne(), { code: 'CORRUPT' })).outcome, 'failed');
});

test('what was handed out by an answer that the worker never got is handed out again, without a try', async () => {
  const job = await stage.published();
  const [id] = await rereads.order([job]);
  await rereads.claimOne();
  assert.deepEqual(await rereads.claim(), [], 'what it holds is not taken from it');
  rereads.held = [];
  const again = await rereads.claimOne();
  assert.equal(again.attempt, 2);
  const { attempts, tries } = await rereads.rereading(id!);
  assert.deepEqual([attempts, tries], [['lost WORKER_STOPPING', 'open'], 1]);
  assert.equal((await rereads.record(again, { code: 'CORRUPT' })).outcome, 'failed');
});

test('attempts that overran their deadline are taken back, and a document that loses its workers is given up', async () => {
  const job = await stage.published();
  const [id] = await rereads.order([job]);
  for (let lost = 1; lost <= 5; lost += 1) {
    await rereads.claimOne();
    await db.query(
      `update docket.reread_attempts set deadline = now() - interval '1 minute' where ended_at is null`,
    );
    await commands.reap(stage.worker);
  }
  const { outcome, code, attempts } = await rereads.rereading(id!);
  assert.deepEqual([outcome, code], ['failed', 'WORKER_LOST']);
  assert.deepEqual(attempts, Array(5).fill('lost WORKER_LOST'));
  assert.equal((await stage.lastEvent(job))['event'], 'reread_ended');
});

test('on a host where something is down nothing is read again', async () => {
  const job = await stage.published();
  await rereads.order([job]);
  await db.query(
    `insert into docket.breakers (dependency, host, failures, jobs, state, first_failure_at, last_code)
     values ('store', 'test', 3, '{}', 'open', now(), 'STORE_UNAVAILABLE')`,
  );
  assert.deepEqual(await rereads.claim(), []);
  await db.query('delete from docket.breakers');
  assert.equal((await rereads.record(await rereads.claimOne(), { code: 'CORRUPT' })).outcome, 'failed');
});
