import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import { generateSnapshot } from '../../scripts/gen/snapshot.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createTestDatabase } from '../support/database.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const skip = spawnSync('psql', ['--version']).error ? 'psql is not installed' : false;

/** Installs by psql alone; returns what it printed. */
async function install(url: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'psql',
    ['--no-psqlrc', '--quiet', '--file', 'sql/install.psql', url],
    { cwd: ROOT, env: { PATH: process.env.PATH, PGOPTIONS: '-c client_min_messages=warning' } },
  );
  return stdout;
}

async function catalogOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await generateSnapshot(client);
  } finally {
    await client.end();
  }
}

test('psql alone installs the same database as the program, and may be run again', { skip }, async () => {
  const byPsql = await createTestDatabase({ empty: true });
  const byProgram = await createTestDatabase();
  assert.match(await install(byPsql.url()), /consequence/);
  const wanted = await catalogOf(byProgram.url());
  assert.equal(await catalogOf(byPsql.url()), wanted);
  await install(byPsql.url());
  assert.equal(await catalogOf(byPsql.url()), wanted);
});

test(
  'the program goes on from what psql installed, and psql from what the program installed',
  { skip },
  async () => {
    const database = await createTestDatabase({ empty: true });
    await install(database.url());
    const { applied } = await migrate({ connectionString: database.url() });
    assert.deepEqual(applied, []);
    await install(database.url());
    const queue = await database
      .pool()
      .query<{ pending: string }>('select count(*) as pending from graphile_worker._private_jobs');
    assert.equal(queue.rows[0]?.pending, '0');
  },
);
