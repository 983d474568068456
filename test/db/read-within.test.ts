import assert from 'node:assert/strict';
import { test } from 'node:test';
import { socketUrl } from '../../src/db/cluster/superuser.ts';
import { fromDatabase } from '../../src/db/errors.ts';
import { createPool } from '../../src/db/pools.ts';
import { readWithin } from '../../src/db/read-within.ts';
import { createLog } from '../../src/log.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { createTestDatabase } from '../support/database.ts';
import { testCluster } from '../support/test-cluster.ts';

const database = await createTestDatabase();
const proxy = await startDatabaseProxy(testCluster());
const pool = createPool({
  url: socketUrl(proxy, 'docket_gateway', database.name),
  name: 'test within',
  max: 1,
  log: createLog({ level: 'silent' }),
});
database.beforeDrop(() => proxy.stop());
database.beforeDrop(() => pool.end());

const AS = { role: 'docket_auditor' };
const LONG_MS = 60_000;

test('what is read is given, as who was named, and the connection is kept without anything of it', async () => {
  const who = await readWithin(pool, AS, LONG_MS, async (reader) => {
    const { rows } = await reader.query<{ who: string; only: string }>(
      `select current_user as who, current_setting('transaction_read_only') as only`,
    );
    return rows[0];
  });
  assert.deepEqual({ ...who }, { who: 'docket_auditor', only: 'on' });
  assert.deepEqual([pool.totalCount, pool.idleCount], [1, 1]);
  const { rows } = await pool.query<{ who: string }>('select current_user as who');
  assert.equal(rows[0]!.who, 'docket_gateway');
});

test('a connection over which something failed is not used again', async () => {
  await assert.rejects(
    readWithin(pool, AS, LONG_MS, (reader) => reader.query('select 1 / 0')),
    /division by zero/,
  );
  assert.equal(pool.totalCount, 0);
  assert.equal(await readWithin(pool, AS, LONG_MS, () => Promise.resolve('next')), 'next');
});

// Without the cut it would wait until the network gives up.
test(
  'where no answer comes, the connection is cut, and its place in the pool is free',
  { timeout: 120_000 },
  async () => {
    const failure: unknown = await readWithin(pool, AS, 300, (reader) => {
      proxy.freeze();
      return reader.query('select 1');
    }).catch((error: unknown) => error);
    assert.equal(fromDatabase(failure).code, 'DATABASE_UNAVAILABLE');
    assert.equal(pool.totalCount, 0);
    proxy.pointTo(testCluster());
    assert.equal(await readWithin(pool, AS, LONG_MS, () => Promise.resolve('next')), 'next');
  },
);
