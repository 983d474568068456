import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { FUNCTIONS } from './function-matrix.ts';
import { RELATIONS, ROLES, SCHEMAS } from './permission-matrix.ts';

const database = await createTestDatabase();
const db = database.pool();

const OURS = `('docket', 'docket_audit', 'docket_api', 'docket_queue', 'graphile_worker')`;

/** Reads "role object verbs" lines of everything that is allowed, whether by grant, by PUBLIC or by ownership. */
async function lines(text: string): Promise<string[]> {
  const { rows } = await db.query<{ line: string }>(text, [[...ROLES, 'public_only']]);
  return rows.map((row) => row.line).sort();
}

const flatten = (matrix: Record<string, Record<string, string>>) =>
  Object.entries(matrix)
    .flatMap(([role, objects]) =>
      Object.entries(objects).map(([object, verbs]) => `${role} ${object} ${verbs}`),
    )
    .sort();

// Somebody who can connect to the server and is in no group: has what PUBLIC has.
await db.query('create role public_only');
database.beforeDrop(() => db.query('drop role public_only'));

test('each role may do with each table, view, sequence and column what the matrix says, and nothing else', async () => {
  const seen = await lines(`
    with allowed as (
      select r.name as role, c.oid, c.oid::regclass::text as relation, verb.name as verb, verb.place,
        has_table_privilege(r.name, c.oid, verb.name) as is_whole,
        case when verb.name in ('select', 'insert', 'update', 'references') then (
          select string_agg(a.attname, ',' order by a.attnum)
          from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            and has_column_privilege(r.name, c.oid, a.attnum, verb.name)
        ) end as columns
      from unnest($1::text[]) as r (name)
      cross join pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'])
        with ordinality as verb (name, place)
      where n.nspname in ${OURS} and c.relkind in ('r', 'p', 'v', 'm', 'f')
    )
    select role || ' ' || relation || ' ' || string_agg(
      case when is_whole then verb else verb || '(' || columns || ')' end, ' ' order by place) as line
    from allowed
    where is_whole or columns is not null
    group by role, relation`);
  // The queue's own tables are covered as one: the door owns them, the runner uses them, nobody else touches them.
  const queue = seen.filter((line) => line.includes(' graphile_worker.'));
  assert.deepEqual([...new Set(queue.map((line) => line.split(' ')[0]))], ['docket_door', 'docket_queue']);
  assert.deepEqual(
    seen.filter((line) => !line.includes(' graphile_worker.')),
    flatten(RELATIONS),
  );
});

test('each role may use no sequence but its own', async () => {
  const seen = await lines(`
    select distinct r.name || ' ' || n.nspname as line
    from unnest($1::text[]) as r (name)
    cross join pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ${OURS} and c.relkind = 'S' and has_sequence_privilege(r.name, c.oid, 'usage, select, update')`);
  assert.deepEqual(seen, ['docket_door graphile_worker', 'docket_queue graphile_worker']);
});

test('each role may execute the functions that the matrix says, and no other', async () => {
  const seen = await lines(`
    select r.name || ' ' || n.nspname || '.' || string_agg(distinct p.proname, ' ' order by p.proname) as line
    from unnest($1::text[]) as r (name)
    cross join pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ${OURS} and has_function_privilege(r.name, p.oid, 'execute')
      and has_schema_privilege(r.name, n.oid, 'usage') and n.nspname <> 'graphile_worker'
    group by r.name, n.nspname`);
  const wanted = Object.entries(FUNCTIONS).flatMap(([role, schemas]) =>
    Object.entries(schemas).map(([schema, names]) => `${role} ${schema}.${names.toSorted().join(' ')}`),
  );
  assert.deepEqual(seen, wanted.sort());
});

test('only the role of the runner, and the door to it, may execute functions of the queue itself', async () => {
  const seen = await lines(`
    select distinct r.name as line
    from unnest($1::text[]) as r (name)
    cross join pg_proc p
    where p.pronamespace = 'graphile_worker'::regnamespace
      and has_function_privilege(r.name, p.oid, 'execute') and has_schema_privilege(r.name, p.pronamespace, 'usage')`);
  assert.deepEqual(seen, ['docket_door', 'docket_queue']);
});

test('each role may use the schemas and the database as the matrix says', async () => {
  const seen = await lines(`
    select r.name || ' ' || s.name || ' ' || concat_ws(' ',
      case when has_schema_privilege(r.name, s.name, 'usage') then 'usage' end,
      case when has_schema_privilege(r.name, s.name, 'create') then 'create' end) as line
    from unnest($1::text[]) as r (name)
    cross join (select nspname from pg_namespace where nspname in ${OURS} or nspname = 'public') as s (name)
    where has_schema_privilege(r.name, s.name, 'usage') or has_schema_privilege(r.name, s.name, 'create')
    union all
    select r.name || ' database ' || concat_ws(' ',
      case when has_database_privilege(r.name, current_database(), 'connect') then 'connect' end,
      case when has_database_privilege(r.name, current_database(), 'create') then 'create' end,
      case when has_database_privilege(r.name, current_database(), 'temporary') then 'temporary' end)
    from unnest($1::text[]) as r (name)
    where has_database_privilege(r.name, current_database(), 'connect')
      or has_database_privilege(r.name, current_database(), 'create')
      or has_database_privilege(r.name, current_database(), 'temporary')`);
  assert.deepEqual(seen, flatten(SCHEMAS));
});

test('no role of Docket has the rights of another but keepers those of readers, and none has an attribute beyond logging in', async () => {
  const { rows } = await db.query(
    `select rolname from pg_roles
     where rolname = any ($1) and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
       or rolcanlogin <> (rolname in ('docket_worker', 'docket_queue', 'docket_gateway')))`,
    [[...ROLES, 'docket_owner']],
  );
  assert.deepEqual(rows, []);
  const members = await db.query(
    `select member::regrole, roleid::regrole from pg_auth_members
     where member in (select oid from pg_roles where rolname = any ($1)) and (inherit_option or admin_option)
     order by member::regrole::text`,
    [[...ROLES, 'docket_owner']],
  );
  assert.deepEqual(members.rows, [
    { member: 'docket_auditor', roleid: 'docket_reader' },
    { member: 'docket_evidence_owner', roleid: 'docket_reader' },
  ]);
});

test('the gateway may become those whom tokens name, and nobody else anybody', async () => {
  const { rows } = await db.query<{ line: string }>(
    `select member::regrole || ' ' || roleid::regrole as line from pg_auth_members
     where member in (select oid from pg_roles where rolname = any ($1)) and set_option order by 1`,
    [[...ROLES, 'docket_owner']],
  );
  assert.deepEqual(
    rows.map(({ line }) => line),
    ['analyst', 'app', 'auditor', 'evidence_owner', 'operator'].map(
      (role) => `docket_gateway docket_${role}`,
    ),
  );
});

test('nobody may execute code of his own or large-object functions through PUBLIC', async () => {
  const { rows } = await db.query<{ name: string }>(
    `select lanname::text as name from pg_language where has_language_privilege('public_only', oid, 'usage') and lanpltrusted
     union all
     select oid::regprocedure::text from pg_proc
     where pronamespace = 'pg_catalog'::regnamespace and proname ~ '^lo(_|read|write)'
       and has_function_privilege('public_only', oid, 'execute')`,
  );
  assert.deepEqual(rows, []);
});
