import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import type { CheckedRow } from '../../src/db/installed-code.ts';
import { checkInstalledCode } from '../../src/db/installed-code.ts';
import { createTestDatabase } from '../support/database.ts';

const db = await createTestDatabase();

/** What is found wrong after a superuser did something, which is taken back. */
async function after(...attack: string[]): Promise<Map<string, CheckedRow>> {
  const client: pg.PoolClient = await db.pool().connect();
  try {
    await client.query('begin');
    for (const statement of attack) await client.query(statement);
    const rows = await checkInstalledCode(client);
    return new Map(rows.filter((row) => row.failed_count !== '0').map((row) => [row.checked, row]));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

test('a freshly migrated database has the code of the package, as an auditor sees it', async () => {
  const rows = await checkInstalledCode({
    query: async (text, values) => {
      const client = await db.pool().connect();
      try {
        await client.query('begin read only');
        await client.query('set local role docket_auditor');
        return await client.query<Record<string, unknown>>(text, values);
      } finally {
        await client.query('rollback');
        client.release();
      }
    },
  });
  for (const row of rows) assert.deepEqual([row.failed_count, row.first_offender], ['0', null], row.checked);
  const { rows: counted } = await db.pool().query<{ functions: string; triggers: string }>(`
    select (select count(*) from pg_proc where pronamespace::regnamespace::text like 'docket%')::text as functions,
      (select count(*) from pg_trigger join pg_class c on c.oid = tgrelid
        where not tgisinternal and relnamespace::regnamespace::text like 'docket%')::text as triggers`);
  const counts = new Map(rows.map((row) => [row.checked, row.checked_count]));
  assert.equal(counts.get('installed functions'), counted[0]?.functions);
  assert.equal(counts.get('installed triggers'), counted[0]?.triggers);
  assert.equal(rows.length, 6);
});

test('a verifier that was replaced is named', async () => {
  const wrong = await after(`
    create or replace function docket.hardening_gaps() returns table (step text, consequence text)
    language sql stable security definer set search_path = pg_catalog, pg_temp
    as $$ select null, null where false $$`);
  assert.deepEqual([...wrong.keys()], ['installed functions']);
  const row = wrong.get('installed functions');
  assert.ok(row);
  assert.equal(row.failed_count, '1');
  assert.equal(row.first_offender, 'docket.hardening_gaps()');
  assert.match(row.expected ?? '', /^SHA-256 [0-9a-f]{64}$/);
  assert.notEqual(row.found, row.expected);
});

test('a function with the same body, but another search path, owner or volatility, is named', async () => {
  for (const change of [
    'alter function docket_audit.event_hash set search_path = public',
    'alter function docket_audit.event_hash owner to postgres',
    'alter function docket_audit.event_hash volatile',
  ]) {
    const row = (await after(change)).get('installed functions');
    assert.match(row?.first_offender ?? '', /^docket_audit\.event_hash\(/, change);
  }
});

test('a further function, and one that is gone, are named', async () => {
  const added = (await after(`create function docket.aaa() returns int language sql as 'select 1'`)).get(
    'installed functions',
  );
  assert.deepEqual([added?.first_offender, added?.expected], ['docket.aaa()', 'none']);
  const gone = (await after('drop function docket.hardening_gaps()')).get('installed functions');
  assert.deepEqual([gone?.first_offender, gone?.found], ['docket.hardening_gaps()', 'none']);
});

test('a guard that is off, or calls another function, is named', async () => {
  const off = await after('alter table docket_audit.events disable trigger _200_append_only');
  assert.deepEqual([...off.keys()], ['installed triggers']);
  const row = off.get('installed triggers');
  assert.match(row?.first_offender ?? '', /^_200_append_only .* ON docket_audit\.events$/);
  assert.match(row?.expected ?? '', /; -- always$/);
  assert.match(row?.found ?? '', /; -- disabled$/);

  const elsewhere = await after(
    `create function public.harmless() returns trigger language plpgsql as $$ begin return new; end $$`,
    `create or replace trigger _200_append_only before update or delete on docket_audit.events
       for each row execute function public.harmless()`,
    'alter table docket_audit.events enable always trigger _200_append_only',
  );
  assert.match(elsewhere.get('installed triggers')?.found ?? '', /EXECUTE FUNCTION harmless\(\)/);
});

test('a policy, a constraint, a view and a rule of the state machine that were changed are named', async () => {
  const wrong = await after(
    'alter policy amendments__of_visible_jobs on docket.amendments using (true)',
    'alter table docket_audit.seals drop constraint seals__has_events',
    'create view docket.all_is_well as select true as is_well',
    `update docket.job_transitions set next_task = 'ocr' where event = 'published'`,
  );
  assert.equal(wrong.get('installed constraints')?.first_offender, 'docket_audit.seals.seals__has_events');
  assert.equal(
    wrong.get('installed policies')?.first_offender,
    'amendments__of_visible_jobs on docket.amendments',
  );
  assert.equal(wrong.get('installed views')?.first_offender, 'docket.all_is_well');
  assert.deepEqual([...wrong.keys()].sort(), [
    'installed constraints',
    'installed policies',
    'installed rules of the state machine',
    'installed views',
  ]);
});
