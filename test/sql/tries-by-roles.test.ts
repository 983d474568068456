import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, createSender, type LoginGroup } from '../support/logins.ts';
import { refused } from './refused.ts';
import { randomHash, Stage } from './stage.ts';

const DENIED = '42501';
const GROUPS: LoginGroup[] = [
  'docket_app',
  'docket_operator',
  'docket_evidence_owner',
  'docket_auditor',
  'docket_analyst',
];

const database = await createTestDatabase();
const stage = await Stage.open(database);
const job = await stage.published();
const members: Record<string, string> = {
  docket_worker: 'docket_worker',
  docket_queue: 'docket_queue',
  docket_gateway: 'docket_gateway',
};
/** Whose place the gateway takes; what it may do there is what they may do. */
/** Whose place the gateway may take. */
const BEARERS = [
  'docket_app',
  'docket_analyst',
  'docket_operator',
  'docket_evidence_owner',
  'docket_auditor',
];
for (const group of GROUPS) members[group] = (await createLogin(database, group)).name;

/** What nobody but the installing login may ever do. */
const FOR_NOBODY = [
  'set role docket_owner',
  'set session authorization docket_owner',
  'set session_replication_role = replica',
  'alter table docket.deliveries disable trigger all',
  'alter table docket_audit.events disable trigger all',
  'alter table docket.jobs drop constraint jobs__state_is_its_last_event',
  'drop trigger _200_append_only on docket.deliveries',
  'drop function docket.tg__append_only() cascade',
  'alter function docket.actor() owner to current_user',
  'create or replace function docket.actor() returns text language sql as $$ select null::text $$',
  'create temp table t (a int)',
  'create table docket.t (a int)',
  'create table public.t (a int)',
  'create schema s',
  'create extension pgcrypto',
  'create event trigger t on ddl_command_end execute function docket.tg__append_only()',
  'create trigger t before insert on docket.jobs for each row execute function docket.tg__append_only()',
  'create policy p on docket.deliveries using (true)',
  'create role intruder',
  'alter role docket_owner login',
  `alter system set fsync = off`,
  `copy (select 1) to program 'true'`,
  `copy (select 1) to '/tmp/docket-stolen'`,
  `select pg_read_file('/etc/passwd')`,
  'select lo_create(0)',
  `select lo_from_bytea(0, 'x')`,
  `select lo_import('/etc/passwd')`,
  'begin; lock table docket.jobs in access exclusive mode',
  'begin; lock table docket.submissions in access exclusive mode',
  'insert into docket_audit.events default values',
  'insert into docket.jobs default values',
  'insert into docket.results default values',
  'update docket.deliveries set size_bytes = 1',
  'update docket.jobs set token = null',
  'update docket.submissions set size_bytes = 1',
  `update docket.failure_codes set max_tries = 99`,
  `delete from docket.job_transitions`,
  'delete from docket.deliveries',
  'delete from docket.submissions',
  'truncate docket.deliveries',
  'truncate docket_audit.events',
  `select docket.record_events('{}', '{}', 'x', null, null, null, null)`,
  `select docket.accept_deliveries('{1}')`,
  `select * from docket.hold_attempts('{}', '{}', '{}')`,
  `select docket.end_attempts('{}', '{}', 'done')`,
];

/** What only the role that runs the queue may do, and only in its own schema. */
const FOR_NOBODY_BUT_THE_QUEUE = [
  'do $$ begin end $$',
  'select * from graphile_worker._private_jobs',
  'select * from graphile_worker.jobs',
  `select graphile_worker.add_job('hash')`,
  `select * from docket_queue.queued_jobs()`,
  `select docket_queue.enqueue('{hash}', '{${job}}', '{now}')`,
  'create function public.f() returns int language sql as $$ select 1 $$',
];

/** What only workers may do. */
const FOR_WORKERS = [
  `select * from docket.admit(1)`,
  `select * from docket.reap()`,
  `select * from docket.begin_attempts('{${job}}', '{x}', 'hash', gen_random_uuid())`,
  `select * from docket.publish_results('{${job}}', '{1}', array[gen_random_uuid()])`,
];

for (const [role, login] of Object.entries(members)) {
  test(`${role} is refused whatever would change the rules, the record or the server`, async () => {
    const tries = [
      ...FOR_NOBODY,
      ...(role === 'docket_queue' ? [] : FOR_NOBODY_BUT_THE_QUEUE),
      ...(role === 'docket_worker' ? [] : FOR_WORKERS),
    ];
    const client = await database.pool(login).connect();
    try {
      for (const statement of tries) {
        const error = await client.query(statement).then(
          () => undefined,
          (caught: unknown) => caught as pg.DatabaseError,
        );
        assert.equal(error?.code, DENIED, `${statement}: ${error?.message ?? 'was allowed'}`);
        await client.query('rollback');
      }
    } finally {
      client.release(true);
    }
  });

  test(`${role} can become no other role`, async () => {
    for (const other of [...Object.keys(members), 'docket_owner', 'postgres', 'pg_read_all_data']) {
      // A login may act as its own group, which gives it nothing that it has not.
      if (other === role || (role === 'docket_gateway' && BEARERS.includes(other))) continue;
      await refused(DENIED, database.pool(login).query(`set role ${other}`));
    }
  });
}

test('the worker reads no table but those that explain words', async () => {
  for (const table of [
    'jobs',
    'deliveries',
    'evidence',
    'results',
    'pages',
    'attempts',
    'job_salts',
    'leases',
  ]) {
    await refused(DENIED, stage.worker.query(`select from docket.${table}`));
  }
  await refused(DENIED, stage.worker.query('select from docket_audit.events'));
});

const INSERT =
  'insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at';
const VALUES = `values ('carrier-a', $1, 'memory:x', 1, 'image/png', now()`;

test('a sender states what it is asked for and nothing else', async () => {
  for (const [column, value] of [
    ['received_at', `'2000-01-01'`],
    ['submitted_by', `'somebody'`],
    ['job_id', 'gen_random_uuid()'],
    ['delivery_id', '1'],
    ['state', `'published'`],
  ]) {
    const submit = stage.sender.pool.query(`${INSERT}, ${column}) ${VALUES}, ${value})`, [randomHash()]);
    const error = await submit.then(
      () => undefined,
      (caught: unknown) => caught as pg.DatabaseError,
    );
    assert.ok(
      [DENIED, '428C9', '55000', '0A000'].includes(error?.code ?? ''),
      `${column}: ${error?.code} ${error?.message}`,
    );
  }
  await refused(
    DENIED,
    stage.sender.pool.query(
      `insert into docket.deliveries (delivery_id, source_id, sha256, locator, size_bytes, media_type, captured_at)
       overriding system value values (1, 'carrier-a', $1, 'memory:x', 1, 'image/png', now())`,
      [randomHash()],
    ),
  );
});

test('a sender reads nothing back from the table itself', async () => {
  for (const column of ['job_id', 'delivery_id', 'received_at', 'sha256', '*']) {
    await refused(
      DENIED,
      stage.sender.pool.query(
        `insert into docket.deliveries (source_id, sha256, locator, size_bytes, media_type, captured_at)
         ${VALUES}) returning ${column}`,
        [randomHash()],
      ),
    );
  }
  await refused(DENIED, stage.sender.pool.query('select job_id from docket.deliveries'));
});

test('a delivery is recorded under the login and the clock of the server, whatever the session says', async () => {
  const client = await stage.sender.pool.connect();
  try {
    await client.query(
      `set timezone = 'Pacific/Kiritimati'; set role docket_app; set application_name = 'postgres'`,
    );
    const { rows } = await client.query<{ submitted_by: string; age: number }>(
      `${INSERT}) ${VALUES}) returning submitted_by, extract(epoch from clock_timestamp() - received_at)::float8 as age`,
      [randomHash()],
    );
    assert.equal(rows[0]!.submitted_by, stage.sender.name);
    assert.ok(rows[0]!.age >= 0 && rows[0]!.age < 5);
  } finally {
    client.release(true);
  }
});

test('a sender sees its own deliveries only, and the state only of documents that are its own', async () => {
  const other = await createSender(database, 'carrier-b');
  const sha256 = randomHash();
  const shared = await stage.deliver({ sha256 });
  await stage.deliver({ sha256 }, other);
  const own = await stage.deliver({}, other);

  const { rows } = await other.pool.query<{ job_id: string; source_id: string; state: string | null }>(
    'select job_id, source_id, state from docket.submissions order by delivery_id',
  );
  assert.deepEqual(rows, [
    { job_id: shared, source_id: 'carrier-b', state: null },
    { job_id: own, source_id: 'carrier-b', state: 'accepted' },
  ]);
  const sources = await other.pool.query('select * from docket.visible_sources()');
  assert.deepEqual(sources.rows, [{ visible_sources: 'carrier-b' }]);
});

test('a function that leaks what it is given sees no row of another sender', async () => {
  const other = await createSender(database, 'carrier-c');
  await stage.deliver({ locator: 'memory:secret' });
  // Division by zero on any row of others would fail the statement; a planner that pushed it down would let it see them.
  const { rows } = await other.pool.query(
    `select from docket.submissions where 1 / (case when locator = 'memory:secret' then 0 else 1 end) = 2`,
  );
  assert.deepEqual(rows, []);
});
