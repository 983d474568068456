import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { openCluster } from '../../src/db/cluster/cluster.ts';
import * as commands from '../../src/db/commands.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createLog } from '../../src/log.ts';
import { testCluster } from '../support/test-cluster.ts';
import { sealAll } from './log-stage.ts';
import { named, randomHash, result, type Candidate } from './stage.ts';

// Roles belong to a server, and on that of the run a superuser made them: what a managed service allows needs its own.
const folder = await mkdtemp(join(tmpdir(), 'docket-managed-'));
await chmod(folder, 0o755);
const cluster = await openCluster({
  dataDir: join(folder, 'data'),
  major: testCluster().major,
  settings: { fsync: 'off' },
  log: createLog({ level: 'error' }),
});
after(async () => {
  await cluster.stop({ evenIfInUse: true });
  await rm(folder, { recursive: true, force: true });
});

async function connect(role: string, database: string, options = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: cluster.url(role, database), options });
  await client.connect();
  return client;
}

async function asSuperuser(...statements: string[]): Promise<void> {
  const client = await connect('postgres', 'postgres');
  for (const statement of statements) await client.query(statement);
  await client.end();
}

await asSuperuser(
  'create role admin login nosuperuser createrole nocreatedb noreplication nobypassrls',
  'create database managed owner admin',
);
const url = cluster.url('admin', 'managed');
const report = await migrate({ connectionString: url });

test('a login without superuser that owns the database installs, and is told what that cannot achieve', () => {
  assert.ok(report.applied.length >= 4);
  const steps = report.limitations.map(({ step }) => step);
  assert.ok(steps.some((step) => step.includes('revoke usage on language')));
  assert.ok(steps.some((step) => step.includes('"admin" can become docket_owner')));
  assert.ok(steps.some((step) => step.includes('lo_ functions')));
  // The owner of a database can withdraw these by itself.
  assert.ok(!steps.some((step) => step.includes('temporary')));
  assert.ok(!steps.some((step) => step.includes('create on schema public')));
  for (const { consequence } of report.limitations) assert.match(consequence, /\w+ \w+ \w+/);
});

test('migrating again works there too', async () => {
  const again = await migrate({ connectionString: url });
  assert.deepEqual(again.applied, []);
  assert.deepEqual(again.limitations, report.limitations);
});

test('a superuser sees fewer gaps once the same database was hardened by one', async () => {
  const { limitations } = await migrate({ connectionString: cluster.url('postgres', 'managed') });
  const steps = limitations.map(({ step }) => step);
  assert.ok(!steps.some((step) => step.includes('revoke usage on language')));
  assert.ok(!steps.some((step) => step.includes('lo_ functions')));
});

test('the login without superuser can still update what a superuser has hardened', async () => {
  assert.deepEqual((await migrate({ connectionString: url })).applied, []);
});

test('a queue that its own login owned, as in earlier releases, is taken from it', async () => {
  const superuser = await connect('postgres', 'managed');
  await superuser.query('grant docket_queue to docket_door with inherit true, set false');
  await superuser.query('reassign owned by docket_door to docket_queue');
  await superuser.query('alter schema docket_queue owner to docket_door');
  await superuser.query(`
    do $$
    declare f regprocedure;
    begin
      for f in select oid from pg_proc where pronamespace = 'docket_queue'::regnamespace loop
        execute format('alter function %s owner to docket_door', f);
      end loop;
    end $$`);
  await migrate({ connectionString: url });
  const { rows } = await superuser.query(`
    select 'owns' from pg_shdepend where refobjid = 'docket_queue'::regrole and deptype = 'o'
    union all
    select 'inherits' from pg_auth_members
    where roleid = any (array['docket_queue', 'docket_door']::regrole[]) and member = 'admin'::regrole and inherit_option`);
  await superuser.end();
  assert.deepEqual(rows, []);
});

/** Nobody signed, amended, disposed of, replayed or restored anything; there are too few events for a tile, and nobody signs them. */
const NOT_DONE_HERE = [
  'superseded results',
  'amendments',
  'signatures',
  'disposed documents',
  'disputes',
  'epochs',
  'tiles',
  'checkpoints',
  'checkpoint signatures',
];

test('a document goes through all commands with the installing login acting as the worker', async () => {
  const admin = await connect('admin', 'managed');
  await admin.query('create role sender login in role docket_app');
  await admin.query(`set role docket_operator`);
  await commands.addSource(admin, { sourceId: 'carrier-a', login: 'sender' });
  await admin.end();

  const sender = await connect('sender', 'managed');
  const delivered = await sender.query<{ job_id: string }>(
    `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at)
     values ('carrier-a', $1, 'memory:x', 1, 'image/png', now()) returning job_id`,
    [randomHash()],
  );
  const job = delivered.rows[0]!.job_id;

  const worker = await connect('admin', 'managed', '-c role=docket_worker');
  const [lease] = await commands.openLease(worker, { host: 'h', pid: 1, pools: ['io'] });
  const [config] = await commands.registerOcrConfig(worker, { engine: 'none', config: '{}' });
  const queue = await connect('admin', 'managed', '-c role=docket_queue');
  const begin = async (task: string) => {
    const messages = await queue.query<{ ref: string }>(
      `select payload ->> 'ref' as ref from graphile_worker._private_jobs order by id desc limit 1`,
    );
    const refs = [messages.rows[0]!.ref];
    const [open] = await commands.beginAttempts(worker, { jobs: [job], refs, task, lease: lease!.lease_id });
    assert.equal(open?.code, null, task);
    return open;
  };
  assert.deepEqual(await commands.admit(worker, { window: 10 }), [{ admitted: 1 }]);
  const hash = await begin('hash');
  await commands.recordVerified(worker, {
    ...named(hash),
    deliveries: [String((hash.candidates as Candidate[])[0]!.delivery_id)],
    mediaTypes: ['image/png'],
    signatures: [null],
  });
  await commands.failAttempts(worker, {
    ...named(await begin('ocr')),
    codes: ['WORKER_STOPPING'],
    messages: ['stop'],
  });
  await commands.recordResults(worker, {
    ...named(await begin('ocr')),
    configs: [config!.config_sha256],
    results: [result()],
  });
  const published = await commands.publishResults(worker, named(await begin('publish')));
  assert.equal(published[0]!.outcome, 'published');
  await commands.bindPools(worker, { lease: lease!.lease_id, poolIds: ['p'] });
  assert.deepEqual(await commands.renewLease(worker, { lease: lease!.lease_id }), [{ renewed: true }]);
  await commands.reap(worker);
  await commands.reconcile(worker);
  await sealAll(worker);
  await commands.closeLease(worker, { lease: lease!.lease_id });
  await worker.end();
  await queue.end();

  const state = await sender.query<{ state: string }>('select state from docket.submissions');
  assert.deepEqual(state.rows, [{ state: 'published' }]);
  await sender.end();

  const auditor = await connect('admin', 'managed', '-c role=docket_auditor');
  for (const row of await commands.verifyAll(auditor)) {
    const isThere = !NOT_DONE_HERE.includes(row.checked);
    assert.equal(row.checked_count !== '0', isThere, row.checked);
    assert.equal(row.failed_count, '0', row.checked);
  }
  await auditor.end();
});

test('the installing login is refused what the guards refuse', async () => {
  const admin = await connect('admin', 'managed');
  await admin.query('set role docket_owner');
  await assert.rejects(admin.query('delete from docket_audit.events'), { code: 'ZD001' });
  await assert.rejects(admin.query('set session_replication_role = replica'), { code: '42501' });
  await admin.end();
});
