import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { openCluster, type Cluster } from '../../src/db/cluster/cluster.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createPool } from '../../src/db/pools.ts';
import { createLog } from '../../src/log.ts';
import { disarm, rearm } from '../sql/log-forger.ts';
import { failures, SealedStage } from '../sql/sealed-stage.ts';
import type { TestDatabase } from '../support/database.ts';
import { copyAsStandby } from '../support/standby.ts';
import { testCluster } from '../support/test-cluster.ts';

const log = createLog({ level: 'error' });
const { major } = testCluster();
const home = await mkdtemp(join(tmpdir(), 'dkt-standby-'));
// The server runs as another user when the tests run as root.
await chmod(home, 0o711);
const cleanups: (() => Promise<unknown>)[] = [() => rm(home, { recursive: true, force: true })];
after(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

async function open(name: string, settings: Record<string, string> = {}): Promise<Cluster> {
  const cluster = await openCluster({ dataDir: join(home, name), major, settings, log });
  cleanups.push(() => cluster.stop({ evenIfInUse: true }));
  return cluster;
}

/** The database of a server as the stages of tests see one. */
function databaseOf(cluster: Cluster): TestDatabase {
  const pools = new Map<string, pg.Pool>();
  cleanups.push(() => Promise.all([...pools.values()].filter((one) => !one.ended).map((one) => one.end())));
  const pool = (role = 'postgres') => {
    const made = pools.get(role) ?? createPool({ url: cluster.url(role), name: 'test', log, max: 5 });
    pools.set(role, made);
    return made;
  };
  return {
    name: 'docket',
    url: (role = 'postgres') => cluster.url(role),
    pool,
    beforeDrop: (cleanup) => void cleanups.push(cleanup),
    drop: () => Promise.resolve(),
  };
}

test('a read-only standby verifies the whole record, and finds what was changed on its primary', async () => {
  const primary = await open('primary', { wal_level: 'replica' });
  await migrate({ connectionString: primary.url('postgres'), log });
  const sealed = await SealedStage.open(databaseOf(primary));
  const before = await sealed.verify();
  assert.deepEqual(failures(before), []);
  const job = sealed.pickJob('standby');
  const client = await sealed.db.connect();
  await client.query('begin');
  await disarm(client);
  await client.query(`update docket.pages set text = 'other' where job_id = $1`, [job]);
  await rearm(client);
  await client.query('commit');
  client.release();

  await copyAsStandby(sealed.db, primary.dataDir, join(home, 'standby'));
  const standby = databaseOf(await open('standby')).pool();
  const { rows } = await standby.query<{ state: string }>(
    `select pg_is_in_recovery()::text || ', ' || current_setting('transaction_read_only') as state`,
  );
  assert.equal(rows[0]?.state, 'true, on');

  const there = await sealed.verify(standby);
  assert.deepEqual(failures(there), [`result hashes: ${job}`]);
  assert.deepEqual(
    there.map((row) => [row.checked, row.checked_count]),
    before.map((row) => [row.checked, row.checked_count]),
  );
  assert.deepEqual(failures(await commands.verifyDocument(standby, { jobId: job })), [
    `result hashes: ${job}`,
  ]);
  const { note } = sealed.newest;
  const others = [
    await commands.verifyInclusion(standby, { jobId: job, seq: 1, note }),
    await commands.verifyConsistency(standby, { olderNote: sealed.older.note, newerNote: note }),
    await commands.verifyCheckpoint(standby, { note, publicKey: sealed.key.text }),
  ];
  for (const found of others) assert.deepEqual(failures(found), []);
});
