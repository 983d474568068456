import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { generateSnapshot } from '../../scripts/gen/snapshot.ts';
import { migrate } from '../../src/db/migrate.ts';
import { readSqlFiles, sqlFolder } from '../../src/db/sql-files.ts';
import { createTestDatabase } from '../support/database.ts';
import { refused } from './refused.ts';

const database = await createTestDatabase();
const db = database.pool();

const OURS = `('docket'::regnamespace, 'docket_audit'::regnamespace, 'docket_api'::regnamespace, 'docket_queue'::regnamespace)`;

async function column(text: string): Promise<string[]> {
  const { rows } = await db.query<[string]>({ text, rowMode: 'array' });
  return rows.map(([value]) => value);
}

const filesIn = (folder: string) =>
  globSync(`definitions/${folder}/**/*.sql`, { cwd: sqlFolder }).map((path) => basename(path, '.sql'));

async function snapshot(): Promise<string> {
  const client = new pg.Client({ connectionString: database.url() });
  await client.connect();
  try {
    return await generateSnapshot(client);
  } finally {
    await client.end();
  }
}

test('every command, query, verification and queue function is one file of its name, and has one signature', async () => {
  const objects = await column(`
    select p.proname from pg_proc p where p.pronamespace in ${OURS} and p.prorettype <> 'trigger'::regtype
    union all
    select c.relname from pg_class c where c.relnamespace in ${OURS} and c.relkind in ('v', 'm')
    order by 1`);
  // These explain themselves by the numbered file that they stand in.
  const inNumberedFiles = [
    'actor',
    'acts_as',
    'claims',
    'event_hash',
    'expected_steps',
    'event_leaf',
    'failed_gates',
    'gates_by',
    'is_gateway',
    'is_staff',
    'iso_time',
    'jws_part',
    'lease_lock_class',
    'may_deliver',
    'migration_is_due',
    'my_submissions',
    'note_hash',
    'packet_bytes',
    'packet_is_proven',
    'page_bytes',
    'person_of',
    'require_may_deliver',
    'result_bytes',
    'result_hash',
    'read_report',
    'salted_packet_hash',
    'salted_signatures_hash',
    'sees_all_sources',
    'signature_bytes',
    'span_text',
    'visible_sources',
  ];
  const folders = [
    '15_queue',
    '36_merkle',
    '37_notes',
    '38_references',
    '39_custody',
    '39_ages',
    '39_flow',
    '39_ocr',
    '46_search_words',
    '47_search_terms',
    '50_commands',
    '60_queries',
    '61_search',
  ];
  const files = [...folders, '65_verification', '75_api', '76_api_functions', '76_mutations']
    .flatMap((folder) => filesIn(folder))
    .filter((name) => name !== 'settings');
  assert.deepEqual(objects, [...files, ...inNumberedFiles].sort());
});

test('every guard file has its trigger function, and no trigger function is without one', async () => {
  const functions = await column(
    `select p.proname from pg_proc p where p.pronamespace in ${OURS} and p.prorettype = 'trigger'::regtype order by 1`,
  );
  const files = filesIn('40_guards').map((name) => (name.includes('__') ? `tg_${name}` : `tg__${name}`));
  assert.deepEqual(functions, files.sort());
});

test('every schema, table, column, view, function, trigger and type is commented', async () => {
  const bare = await column(`
    select 'schema ' || n.nspname from pg_namespace n
    where n.oid in ${OURS} and obj_description(n.oid, 'pg_namespace') is null
    union all
    select 'relation ' || c.oid::regclass from pg_class c
    where c.relnamespace in ${OURS} and c.relkind in ('r', 'p', 'v', 'm') and obj_description(c.oid, 'pg_class') is null
    union all
    select 'column ' || c.oid::regclass || '.' || a.attname
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace in ${OURS} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      and col_description(c.oid, a.attnum) is null
    union all
    select 'function ' || p.oid::regprocedure from pg_proc p
    where p.pronamespace in ${OURS} and obj_description(p.oid, 'pg_proc') is null
    union all
    select 'trigger ' || t.tgname || ' on ' || t.tgrelid::regclass
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace in ${OURS} and not t.tgisinternal and obj_description(t.oid, 'pg_trigger') is null
    union all
    select 'type ' || t.oid::regtype from pg_type t join pg_class c on c.oid = t.typrelid and c.relkind = 'c'
    where t.typnamespace in ${OURS} and obj_description(t.oid, 'pg_type') is null`);
  assert.deepEqual(bare, []);
});

test('a function that runs as its owner has a fixed search path, an owner without power, and is not for everybody', async () => {
  const bad = await column(`
    select p.oid::regprocedure::text || ' ' || reason
    from pg_proc p
    join pg_roles r on r.oid = p.proowner
    cross join lateral (values
      (case when not 'search_path=pg_catalog, pg_temp' = any (coalesce(p.proconfig, '{}')) then 'has another search path' end),
      (case when r.rolsuper or r.rolcreaterole or r.rolbypassrls then 'is owned by ' || r.rolname end),
      (case when p.proacl is null or exists (select from aclexplode(p.proacl) x where x.grantee = 0)
         then 'is for everybody' end)
    ) as checked (reason)
    where p.pronamespace in ${OURS} and p.prosecdef and reason is not null`);
  assert.deepEqual(bad, []);
  const definers = await column(
    `select count(*)::text from pg_proc p where p.pronamespace in ${OURS} and p.prosecdef`,
  );
  assert.ok(Number(definers[0]) > 25);
});

test('no function of Docket, of whatever kind, is executable by everybody', async () => {
  const open = await column(`
    select p.oid::regprocedure::text from pg_proc p
    where p.pronamespace in ${OURS}
      and (p.proacl is null or exists (select from aclexplode(p.proacl) x where x.grantee = 0))`);
  assert.deepEqual(open, []);
});

test('trigger functions have a fixed search path too', async () => {
  const bad = await column(`
    select p.oid::regprocedure::text from pg_proc p
    where p.pronamespace in ${OURS} and p.prorettype = 'trigger'::regtype
      and not 'search_path=pg_catalog, pg_temp' = any (coalesce(p.proconfig, '{}'))`);
  assert.deepEqual(bad, []);
});

test('everything is owned by the role of its schema', async () => {
  const wrong = await column(`
    select o.name || ' of ' || o.owner::regrole
    from (
      select c.oid::regclass::text as name, c.relowner as owner, c.relnamespace as schema from pg_class c
      where c.relkind in ('r', 'p', 'v', 'm', 'S')
      union all
      select p.oid::regprocedure::text, p.proowner, p.pronamespace from pg_proc p
      union all
      select n.nspname, n.nspowner, n.oid from pg_namespace n
    ) as o
    join pg_namespace n on n.oid = o.schema
    where (n.oid in ${OURS} or n.nspname = 'graphile_worker')
      and o.owner <> (case when n.nspname in ('docket_queue', 'graphile_worker') then 'docket_door' else 'docket_owner' end)::regrole`);
  assert.deepEqual(wrong, []);
});

test('constraints are named after what they say, indexes and triggers by their pattern', async () => {
  const wrong = await column(`
    select c.conname::text from pg_constraint c
    join pg_class t on t.oid = c.conrelid
    where c.connamespace in ${OURS} and c.contype <> 'n'
      and c.conname !~ ('^' || t.relname || '(_pk|__[a-z0-9_]+)$')
    union all
    select c.conname from pg_constraint c
    join pg_class t on t.oid = c.conrelid
    where c.connamespace in ${OURS} and c.contype = 'p' and c.conname !~ '_pk$'
    union all
    select i.relname from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relnamespace in ${OURS} and t.relkind = 'r' and i.relname !~ ('^' || t.relname || '(_pk|__[a-z0-9_]+)$')
    union all
    select t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace in ${OURS} and not t.tgisinternal and t.tgname !~ '^_[1-9][0-9]{2}_[a-z_]+$'`);
  assert.deepEqual(wrong, []);
});

test('every error code that the SQL raises is a row of docket.error_codes, and every row is raised', async () => {
  const known = await column('select sqlstate from docket.error_codes order by 1');
  const bodies = await column(`select p.prosrc from pg_proc p where p.pronamespace in ${OURS}`);
  const raised = new Set(bodies.flatMap((body) => body.match(/\bZD\d{3}\b/g) ?? []));
  assert.deepEqual([...raised].sort(), known);
});

test('every failure code with delay and cap is as documented to people', async () => {
  const odd = await column(
    `select code from docket.failure_codes
     where is_retryable and (max_tries < 2 or longest_delay > interval '5 minutes')
       or not is_retryable and (max_tries <> 1 or longest_delay > interval '0')`,
  );
  assert.deepEqual(odd, []);
});

test('migrating again applies nothing and changes nothing', async () => {
  const before = await snapshot();
  const { applied } = await migrate({ connectionString: database.url() });
  assert.deepEqual(applied, []);
  assert.equal(await snapshot(), before);
  const names = globSync('*.sql', { cwd: join(sqlFolder, 'migrations') }).sort();
  assert.deepEqual(await column('select name from docket.migrations order by 1'), names);
});

test('an edited migration is refused by name, and nothing is changed', async () => {
  const before = await snapshot();
  const files = await readSqlFiles();
  const [first, ...others] = files.migrations;
  const edited = { ...first!, text: `${first!.text}\n-- edited`, sha256: 'f'.repeat(64) };
  const error = await refused(
    'ZD050',
    migrate({ connectionString: database.url(), files: { ...files, migrations: [edited, ...others] } }),
  );
  assert.match(error.message, new RegExp(`"${first!.name}"`));
  assert.ok(error.hint);
  assert.equal(await snapshot(), before);
});

test('a migration that fails leaves the database as it was', async () => {
  const before = await snapshot();
  const files = await readSqlFiles();
  const broken = {
    name: '999999_broken.sql',
    text: 'create table docket.half (a int); select 1 / 0',
    sha256: '0',
  };
  await assert.rejects(
    migrate({
      connectionString: database.url(),
      files: { ...files, migrations: [...files.migrations, broken] },
    }),
    { code: 'MIGRATION_FAILED', message: /999999_broken\.sql: division by zero/ },
  );
  assert.equal(await snapshot(), before);
});

test('several processes that migrate at the same time all succeed', async () => {
  const before = await snapshot();
  await Promise.all([1, 2, 3].map(() => migrate({ connectionString: database.url() })));
  assert.equal(await snapshot(), before);
});

test('every guard of the definitions is expected to be on, and one that is off is a gap', async () => {
  const triggers = await column(
    `select t.tgrelid::regclass || ' ' || t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace in ${OURS} and not t.tgisinternal order by 1`,
  );
  const expected = await column(`select on_table || ' ' || name from docket.expected_guards() order by 1`);
  assert.deepEqual(expected, triggers);
  const client = await database.pool().connect();
  try {
    await client.query('begin');
    await client.query('alter table docket_audit.events disable trigger _200_append_only');
    await client.query('alter table docket.jobs drop constraint jobs__state_is_its_last_event');
    await client.query('alter table docket.evidence disable row level security');
    const { rows } = await client.query<{ step: string }>('select step from docket.hardening_gaps()');
    const steps = rows.map((row) => row.step).filter((step) => /guard|foreign|row-level/.test(step));
    assert.deepEqual(steps, [
      'row-level security of docket.evidence is on',
      'the foreign key jobs__state_is_its_last_event is in force',
      'the guard _200_append_only of docket_audit.events is on',
    ]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
