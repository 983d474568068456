import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { plantReceipt } from '../server/planted-receipt.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, createSender } from '../support/logins.ts';
import { deliverNumbered } from './deliver-numbered.ts';
import { refused } from './refused.ts';
import { page, result, Stage } from './stage.ts';
import { signatureReport, verifySigned } from './verify-signed.ts';

// An analyst with SQL may try whatever the server offers. What is hidden from him is planted with words that nothing else holds.
const DENIED = '42501';
const SECRET = 'Zyxwvut';

const database = await createTestDatabase();
const stage = await Stage.open(database);
await createSender(database, 'carrier-z');
const analyst = await createLogin(database, 'docket_analyst');
await commands.addSourceReader(database.pool(), { sourceId: 'carrier-z', login: analyst.name });
// One connection: a pool would close one for every refusal.
const db = new pg.Client({ connectionString: database.url(analyst.name) });
await db.connect();
database.beforeDrop(() => db.end());

/** Everything that exists belongs to another source; its statements, text and failures hold the secret word. */
const foreign = await plant();

async function plant(): Promise<string> {
  await stage.db.query(
    `insert into docket.document_kinds select '${SECRET}', 1, 9, 1, 1, '{}', 'planted' from (values (1)) as one`,
  );
  await stage.quarantined({ documentKind: SECRET });
  const open = await stage.running({ documentKind: SECRET });
  await stage.record(open, result({ pages: [page(`Received by ${SECRET} in good order`)] }));
  await stage.publish(await stage.begin(open.job_id, 'publish'));
  await stage.db.query(
    `insert into docket.redactions (rule_set_id, job_id, attempt, page_count, mask_count, redacted_at)
     select docket.active_rule_set(), job_id, result_attempt, 1, 0, now() from docket.jobs where job_id = $1`,
    [open.job_id],
  );
  await stage.db.query(
    `insert into docket.redacted_pages
     select docket.active_rule_set(), j.job_id, j.result_attempt, 1, 1, 1, 1, 0, 0, 'text', 90, '${SECRET}', '[]', '[]'
     from docket.jobs j where j.job_id = $1`,
    [open.job_id],
  );
  const signed = await stage.deliver({ documentKind: SECRET });
  await stage.admit();
  const reports = [signatureReport({ status: 'revoked', signer: SECRET })];
  await verifySigned(stage, await stage.begin(signed, 'hash'), [{ place: 'embedded', reports }]);
  await plantReceipt(stage, signed, SECRET);
  await deliverNumbered(stage, 3);
  await stage.db.query('analyze');
  return open.job_id;
}

/** The views of docket_api whose rows are somebody's, with the columns that an analyst may read. */
async function columns(): Promise<{ view: string; column: string }[]> {
  const { rows } = await stage.db.query<{ view: string; column: string }>(
    `select c.relname as view, a.attname as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relnamespace = 'docket_api'::regnamespace and c.relkind = 'v'
       and has_column_privilege('docket_analyst', c.oid, a.attnum, 'select')
       and c.relname not in ('sources', 'failure_codes', 'document_kinds', 'rule_sets', 'redaction_rules', 'search_hits')
       -- what the words mean, and the names of the engines, are for everybody
       and (c.relname, a.attname) not in (('events', 'meaning'), ('signatures', 'meaning'), ('results', 'engine'))
     order by 1, a.attnum`,
  );
  return rows;
}

test('there is something to steal, and an analyst of another source sees none of it', async () => {
  const all = await columns();
  const views = [...new Set(all.map(({ view }) => view))];
  assert.deepEqual(views, [
    'documents',
    'events',
    'pages',
    'receipts',
    'results',
    'scan_gaps',
    'signatures',
    'submissions',
    'unmask_requests',
  ]);
  await stage.db.query(
    `insert into docket.unmask_requests (job_id, reason, requested_by, sources) values ($1, '${SECRET}', 'x', '{}')`,
    [foreign],
  );
  for (const view of views) {
    const { rows } = await stage.db.query<{ count: string }>(`select count(*) from docket_api.${view}`);
    assert.notEqual(rows[0]!.count, '0', view);
    const first = all.find((one) => one.view === view)!.column;
    assert.equal((await db.query(`select ${first} from docket_api.${view}`)).rowCount, 0, view);
  }
});

test('no condition, order or aggregate that fails on a value is ever asked about a row of others', async () => {
  for (const { view, column } of await columns()) {
    const value = `"${column}"::text`;
    for (const text of [
      // Each raises an error that names the value, or one at all, as soon as it meets a row.
      `select 1 from docket_api.${view} where ('x' || ${value})::integer = 1`,
      `select 1 from docket_api.${view} where 1 / (length(${value}) - length(${value})) = 1`,
      `select 1 from docket_api.${view} where ('<' || ${value})::xml is null`,
      `select 1 from docket_api.${view} where ('[' || ${value})::jsonb is null`,
      `select 1 from docket_api.${view} where ('(' || ${value}) ~ ('(' || ${value})`,
      `select 1 from docket_api.${view} order by ('x' || ${value})::integer`,
      `select ('x' || ${value})::integer from docket_api.${view} group by 1`,
      `select count(*) filter (where ('x' || ${value})::integer = 1) as hits from docket_api.${view} having count(*) > 0`,
      `select 1 from docket_api.${view} a join docket_api.${view} b on ('x' || a.${value})::integer = length(b.${value})`,
      `select 1 from (select ${value} as v from docket_api.${view} offset 0) s where ('x' || v)::integer = 1`,
      `select 1 from docket_api.${view} where current_setting(${value}) is null`,
      `select 1 from docket_api.${view} where set_config('docket.' || ${value}, 'x', false) is null`,
      `select 1 from docket_api.${view} where query_to_xml('select ' || ${value}, true, true, '') is null`,
    ]) {
      const seen = await db.query(text).then(
        ({ rowCount }) => rowCount,
        (error: unknown) => `${text}: ${(error as Error).message}`,
      );
      assert.equal(seen, 0, String(seen));
    }
  }
});

test('columns that are not for analysts can neither be read nor asked about', async () => {
  const hidden = await stage.db.query<{ view: string; column: string }>(
    `select c.relname as view, a.attname as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relnamespace = 'docket_api'::regnamespace and c.relkind = 'v'
       and not has_column_privilege('docket_analyst', c.oid, a.attnum, 'select')`,
  );
  const names = hidden.rows.map(({ view, column }) => `${view}.${column}`);
  for (const one of [
    'events.hash',
    'events.reason',
    'events.detail',
    'results.result_sha256',
    'submissions.signer',
  ]) {
    assert.ok(names.includes(one), one);
  }
  for (const { view, column } of hidden.rows) {
    for (const text of [
      `select ${column} from docket_api.${view}`,
      `select 1 from docket_api.${view} where ${column} is null`,
      `select 1 from docket_api.${view} order by ${column}::text`,
      `select count(${column}) from docket_api.${view}`,
    ]) {
      await refused(DENIED, db.query(text));
    }
  }
  for (const view of new Set(hidden.rows.map((row) => row.view))) {
    for (const text of [
      `select * from docket_api.${view}`,
      `select v from docket_api.${view} v`,
      `select to_jsonb(v) from docket_api.${view} v`,
      `select table_to_xml('docket_api.${view}', true, true, '')`,
    ]) {
      await refused(DENIED, db.query(text));
    }
  }
});

test('the tables behind the views cannot be named, by whatever way', async () => {
  for (const table of ['docket.pages', 'docket.document_sources', 'docket.evidence', 'docket_audit.events']) {
    for (const text of [
      `select 1 from ${table}`,
      `select query_to_xml('select * from ${table}', true, true, '')`,
      `set search_path = docket, docket_audit; table ${table.split('.')[1]!}`,
      `copy ${table} to stdout`,
      `explain select * from ${table}`,
      `select '${table}'::regclass`,
    ]) {
      const error = (await db.query(text).then(
        () => undefined,
        (caught: unknown) => caught,
      )) as pg.DatabaseError | undefined;
      assert.ok(error && [DENIED, '42P01'].includes(error.code ?? ''), `${text}: ${error?.message}`);
      await db.query('reset search_path');
    }
  }
  for (const schema of ['docket', 'docket_audit']) {
    const { rows } = await db
      .query<{ xml: string }>(`select schema_to_xml($1, true, true, '')::text as xml`, [schema])
      .catch(() => ({ rows: [{ xml: '' }] }));
    assert.ok(!rows[0]!.xml.includes(SECRET), schema);
  }
  const oid = (await stage.db.query<{ oid: number }>(`select 'docket.pages'::regclass::oid::int as oid`))
    .rows[0]!.oid;
  await refused(DENIED, db.query(`select table_to_xml($1::oid::regclass, true, true, '')`, [oid]));
});

test('neither another role, nor a setting, nor claims make an analyst more than he is', async () => {
  for (const role of [
    'docket_gateway',
    'docket_owner',
    'docket_auditor',
    'docket_evidence_owner',
    'docket_operator',
    'docket_worker',
    stage.sender.name,
  ]) {
    await refused(DENIED, db.query(`set role ${role}`));
    await refused(DENIED, db.query(`set session authorization ${role}`));
    await refused(DENIED, db.query(`select set_config('role', '${role}', false)`));
  }
  await db.query(`set docket.claims = '{"sub":"x","role":"auditor","sources":["*"]}'`);
  assert.equal((await db.query('select document_id from docket_api.documents')).rowCount, 0);
  await db.query('set row_security = off');
  await refused(DENIED, db.query('select document_id from docket_api.documents'));
  await db.query('reset all');
});

test('statistics of the server tell an analyst no value of documents', async () => {
  const tables = await db.query<{ name: string }>(
    `select distinct schemaname || '.' || tablename as name from pg_stats where schemaname like 'docket%' order by 1`,
  );
  const known = [
    'document_kinds',
    'failure_codes',
    'job_transitions',
    'signature_statuses',
    'redaction_rules',
    'rule_set_activations',
    'rule_sets',
    'ocr_configs',
  ];
  for (const { name } of tables.rows) assert.ok(known.includes(name.replace('docket.', '')), name);
  assert.equal((await db.query('select 1 from pg_stats_ext')).rowCount, 0);
  for (const catalog of ['pg_statistic', 'pg_statistic_ext_data', 'pg_authid', 'pg_largeobject']) {
    await refused(DENIED, db.query(`table ${catalog}`));
  }
  const { rows } = await db.query<{ all: string }>(
    `select coalesce(string_agg(query, ' '), '') as all from pg_stat_activity where usename <> session_user`,
  );
  assert.match(rows[0]!.all, /^(<insufficient privilege> ?)*$/);
});

test('a plan names no value of others', async () => {
  for (const { view, column } of await columns()) {
    for (const options of ['verbose', 'analyze, verbose, buffers']) {
      const { rows } = await db.query<{ 'QUERY PLAN': string }>(
        `explain (${options}) select "${column}" from docket_api.${view} where "${column}"::text > 'Z' order by "${column}"::text`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      for (const secret of [SECRET, foreign, stage.sender.sourceId]) assert.ok(!plan.includes(secret), view);
    }
  }
});

test('what an analyst may call does nothing to, and tells nothing of, documents of others', async () => {
  await refused('ZD020', db.query(`select docket_api.request_unmask($1, 1, 'why')`, [foreign]));
  await refused(
    DENIED,
    db.query(`select docket_api.release_from_quarantine(array[$1::uuid], 'why')`, [foreign]),
  );
  await refused(DENIED, db.query(`select docket_api.set_source_enabled('carrier-a', false)`));
  for (const call of [
    `docket.hash_of_event('${foreign}', 1)`,
    `docket.detail_of_event('${foreign}', 1)`,
    `docket.sha256_of_result('${foreign}', 2)`,
    `docket.is_verified('${foreign}')`,
    `docket.visible_sources()`,
    `docket.verify_results()`,
  ]) {
    await refused(DENIED, db.query(`select ${call}`));
  }
  const { rows } = await db.query<{ jobs: number }>('select jobs from docket_api.queue_ages()');
  assert.equal(rows.length, 6);
  assert.ok(rows.every(({ jobs }) => jobs === 0));
});

test('an analyst can leave nothing behind that would run with the rights of others', async () => {
  for (const text of [
    'create temporary table t (a int)',
    'create table docket_api.t (a int)',
    'create view docket_api.v as select 1',
    'create table public.t (a int)',
    `create function docket_api.f() returns int language sql as 'select 1'`,
    `create function public.f() returns int language sql as 'select 1'`,
    'create schema mine',
    'create policy p on docket_api.documents using (true)',
    'alter view docket_api.documents reset (security_invoker)',
    'comment on view docket_api.documents is null',
    'insert into docket_api.sources (source_id) values (null)',
    'update docket_api.documents set source_id = null',
    'delete from docket_api.submissions',
  ]) {
    const error = (await db.query(text).then(
      () => undefined,
      (caught: unknown) => caught,
    )) as pg.DatabaseError | undefined;
    // 42809: a view has no policies; 55000: a join cannot be written into.
    assert.ok(error && [DENIED, '42809', '55000'].includes(error.code ?? ''), `${text}: ${error?.message}`);
  }
});
