import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);

test('whoever has the login of the queue cannot run anything with the rights of the owner', async () => {
  const queue = database.pool('docket_queue');
  await stage.db.query('create table public.seen (who name)');
  await stage.db.query('grant insert on public.seen to public');
  // Its own function, called by the door whenever a job becomes due, says with whose rights it runs.
  await queue.query(
    `create or replace function graphile_worker.add_jobs(specs graphile_worker.job_spec[], job_key_preserve_run_at boolean default false)
     returns setof graphile_worker._private_jobs language plpgsql as $$
     begin
       insert into public.seen values (current_user);
     end $$`,
  );
  await stage.deliver({});
  await stage.admit();
  const { rows } = await stage.db.query(
    `select distinct who, has_schema_privilege(who, 'docket', 'usage') as may_enter from public.seen`,
  );
  assert.deepEqual(rows, [{ who: 'docket_door', may_enter: false }]);
});

test('the login of the queue cannot replace or drop the functions of the door', async () => {
  const queue = database.pool('docket_queue');
  for (const text of [
    'drop function docket_queue.enqueue(text[], uuid[], timestamptz[])',
    'drop schema docket_queue cascade',
    `create function docket_queue.enqueue(text[], uuid[]) returns bigint language sql as 'select 1::bigint'`,
    'alter function docket_queue.queued_jobs() security invoker',
    'set role docket_door',
    'set role docket_owner',
  ]) {
    await assert.rejects(queue.query(text), { code: '42501' }, text);
  }
});
