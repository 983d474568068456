import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { refused } from './refused.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const olga = await createLogin(database, 'docket_operator');

const prioritise = (jobs: string[], lane = 'signature_critical') =>
  commands.prioritise(olga.pool, { jobs, lane, reason: 'the customer waits' });

/** Messages for a job, oldest first, with the name of the work and how urgent it is. */
async function messages(job: string): Promise<[identifier: string, priority: number][]> {
  const { rows } = await stage.db.query<{ identifier: string; priority: number }>(
    `select t.identifier, q.priority from graphile_worker._private_jobs q
     join graphile_worker._private_tasks t on t.id = q.task_id
     where q.payload ->> 'job_id' = $1 and q.attempts < q.max_attempts order by q.id`,
    [job],
  );
  return rows.map((row) => [row.identifier, row.priority]);
}

test('a waiting document changes its lane by an event that says from where, to where, by whom and why', async () => {
  const job = await stage.deliver();
  assert.deepEqual(await prioritise([job]), [{ job_id: job, lane: 'signature_critical' }]);
  const { event, actor, reason, detail } = await stage.lastEvent(job);
  assert.deepEqual(
    [event, actor, reason, detail],
    ['prioritised', olga.name, 'the customer waits', { from: 'standard', to: 'signature_critical' }],
  );
  assert.deepEqual(await messages(job), []);
  await stage.admit();
  assert.deepEqual(await messages(job), [['hash', 1]], 'it is worked on in its lane');
  await prioritise([job], 'standard');
  assert.deepEqual((await stage.lastEvent(job)).detail, { from: 'signature_critical', to: 'standard' });
  assert.equal((await stage.job(job))['lane'], null);
});

test('one that is to be recognised already gets a further message, and is begun once', async () => {
  const job = await stage.verified();
  const [before] = (await messages(job)).filter(([identifier]) => identifier === 'ocr');
  assert.deepEqual(before, ['ocr', 2]);
  const refs = [await stage.ref(job, 'ocr')];
  await prioritise([job]);
  assert.deepEqual((await messages(job)).at(-1), ['ocr_reserved', 1]);
  refs.unshift(await stage.ref(job, 'ocr_reserved'));
  const begun = [];
  for (const ref of refs)
    begun.push(
      ...(await commands.beginAttempts(stage.worker, {
        jobs: [job],
        refs: [ref],
        task: 'ocr',
        lease: stage.lease,
      })),
    );
  assert.deepEqual(
    begun.filter((open) => open.code === null).map((open) => open.attempt),
    [2],
  );
});

test('several are moved together or not at all', async () => {
  const [one, two] = [await stage.deliver(), await stage.deliver()];
  const running = (await stage.running()).job_id;
  await refused('ZD002', prioritise([one, running]));
  await refused('ZD020', prioritise([one, '00000000-0000-8000-8000-000000000000']));
  await refused('ZD073', prioritise([one], 'fast'));
  assert.equal((await stage.job(one))['lane'], null);
  await prioritise([two, one, two]);
  assert.deepEqual(
    [(await stage.job(one))['lane'], (await stage.job(two))['lane']],
    ['signature_critical', 'signature_critical'],
  );
  await refused(
    '42501',
    commands.prioritise(stage.worker, { jobs: [one], lane: 'standard', reason: 'because' }),
  );
});

test('a transaction that prioritised and is left open is ended, since admission waits for its documents', async () => {
  const job = await stage.deliver();
  const session = await olga.pool.connect();
  await session.query('begin');
  await commands.prioritise(session, { jobs: [job], lane: 'signature_critical', reason: 'for a while' });
  const { rows } = await session.query('show idle_in_transaction_session_timeout');
  assert.deepEqual(rows, [{ idle_in_transaction_session_timeout: '30s' }]);
  await session.query('rollback');
  session.release();
});
