import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);

const DENIED = { code: '42501' };

test('the login of the queue owns nothing and writes no code, so that nothing of its making runs where the owner calls', async () => {
  const queue = database.pool('docket_queue');
  const { rows } = await stage.db.query(
    `select * from pg_shdepend where refobjid = 'docket_queue'::regrole and deptype = 'o'`,
  );
  assert.deepEqual(rows, []);
  for (const text of [
    // called by the door whenever a job becomes due: it could make the door's functions run as their caller
    `create or replace function graphile_worker.add_jobs(specs graphile_worker.job_spec[], job_key_preserve_run_at boolean default false)
     returns setof graphile_worker._private_jobs language sql as 'select null::graphile_worker._private_jobs'`,
    `create function graphile_worker.f() returns trigger language plpgsql as 'begin return new; end'`,
    `create trigger t before insert on graphile_worker._private_jobs for each row execute function graphile_worker.tg_jobs__after_insert()`,
    'create rule r as on insert to graphile_worker._private_jobs do also delete from graphile_worker._private_jobs',
    'alter function graphile_worker.add_jobs(graphile_worker.job_spec[], boolean) security definer',
    `alter table graphile_worker._private_jobs alter column payload set default '{}'`,
    'drop table graphile_worker._private_jobs',
    `update graphile_worker.migrations set breaking = true`,
  ]) {
    await assert.rejects(queue.query(text), DENIED, text);
  }
});

test('the login of the queue uses the tables as the runner does', async () => {
  const job = await stage.deliver();
  await stage.admit();
  const queue = database.pool('docket_queue');
  const mine = `payload ->> 'job_id' = '${job}'`;
  assert.equal(
    (await queue.query(`update graphile_worker._private_jobs set priority = 1 where ${mine}`)).rowCount,
    1,
  );
  assert.equal((await queue.query(`delete from graphile_worker._private_jobs where ${mine}`)).rowCount, 1);
  await queue.query(`select graphile_worker.add_job('hash', '{}')`);
  const { rowCount } = await queue.query(
    `delete from graphile_worker._private_jobs where payload::text = '{}'`,
  );
  assert.equal(rowCount, 1);
});

test('the login of the queue cannot replace or drop the functions of the door', async () => {
  const queue = database.pool('docket_queue');
  for (const text of [
    'drop function docket_queue.enqueue(text[], uuid[], text[], timestamptz[], integer[])',
    'drop schema docket_queue cascade',
    `create function docket_queue.enqueue(text[], uuid[]) returns bigint language sql as 'select 1::bigint'`,
    'alter function docket_queue.queued_jobs() security invoker',
    'set role docket_door',
    'set role docket_owner',
  ]) {
    await assert.rejects(queue.query(text), DENIED, text);
  }
});
