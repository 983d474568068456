import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from './database.ts';
import { testCluster } from './test-cluster.ts';

const database = await createTestDatabase();

test('a test database is a writable copy on the server version of the run', async () => {
  const { rows } = await database
    .pool()
    .query<{ name: string; version: string }>(
      `select current_database() as name, current_setting('server_version_num') as version`,
    );
  assert.equal(rows[0]?.name, database.name);
  assert.equal(Math.floor(Number(rows[0].version) / 10_000), testCluster().major);
  await database.pool().query('create table kept (answer int)');
});

test('values come back as in production: int8 and timestamptz as text', async () => {
  const { rows } = await database
    .pool()
    .query<{ big: unknown; at: unknown }>(
      `select 9007199254740993 as big, timestamptz '2026-01-02 03:04:05.678901+00' as at`,
    );
  assert.deepEqual({ ...rows[0] }, { big: '9007199254740993', at: '2026-01-02 03:04:05.678901+00' });
});

test('dropping a database that something is still connected to fails and names the connection', async () => {
  const leaky = await createTestDatabase();
  const { default: pg } = await import('pg');
  const forgotten = new pg.Client({ connectionString: leaky.url(), application_name: 'forgotten' });
  forgotten.on('error', () => undefined);
  await forgotten.connect();
  await assert.rejects(leaky.drop(), /leaked database connections:\n {2}forgotten as postgres/);
});
