import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionUrl, createPool } from '../../src/db/pools.ts';
import { createLog } from '../../src/log.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const database = await createTestDatabase();
const log = createLog({ level: 'silent' });
const none = { databaseUrl: undefined, workerUrl: undefined, queueUrl: undefined };

test('a role without a login of its own is assumed by the installing login, which it keeps for the record', async () => {
  const pool = createPool({
    url: connectionUrl({ ...none, databaseUrl: database.url() }, 'worker'),
    name: 'a',
    max: 1,
    log,
  });
  database.beforeDrop(() => pool.end());
  const { rows } = await pool.query<Record<string, string>>(
    `select current_user as role, session_user as login, current_setting('TimeZone') as zone, current_setting('application_name') as name`,
  );
  assert.deepEqual(
    { ...rows[0] },
    { role: 'docket_worker', login: 'postgres', zone: 'UTC', name: 'docket-a' },
  );
});

test('a role with a login of its own uses it', () => {
  const own = 'postgres://worker@host/docket';
  assert.equal(
    connectionUrl({ ...none, databaseUrl: 'postgres://owner@host/docket', workerUrl: own }, 'worker'),
    own,
  );
});

test('without any database configured, asking for a connection says what to do', () => {
  assert.throws(() => connectionUrl(none, 'owner'), { code: 'CONFIG_INVALID', hint: /docket up/ });
});

test('options that a connection string already has are kept', async () => {
  const url = `${database.url()}&options=${encodeURIComponent('-c work_mem=7MB')}`;
  const pool = createPool({ url, name: 'b', max: 1, log, settings: { synchronous_commit: 'off' } });
  database.beforeDrop(() => pool.end());
  const { rows } = await pool.query<Record<string, string>>(
    `select current_setting('work_mem') as memory, current_setting('synchronous_commit') as waits, current_setting('TimeZone') as zone`,
  );
  assert.deepEqual({ ...rows[0] }, { memory: '7MB', waits: 'off', zone: 'UTC' });
});

test('a connection that the server ends, idle or borrowed, neither ends the process nor spoils the pool', async () => {
  const pool = createPool({ url: database.url(), name: 'c', max: 2, log });
  database.beforeDrop(() => pool.end());
  const borrowed = await pool.connect();
  await pool.query('select 1');
  await database
    .pool()
    .query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'docket-c'`);
  await assert.rejects(borrowed.query('select 1'));
  borrowed.release(true);
  await eventually('the pool works again', () =>
    pool.query('select 1').then(
      () => true,
      () => false,
    ),
  );
});
