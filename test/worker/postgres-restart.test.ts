import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { openCluster } from '../../src/db/cluster/cluster.ts';
import { readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createPool } from '../../src/db/pools.ts';
import { createLog } from '../../src/log.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { eventually } from '../support/eventually.ts';

const JOBS = 200;
const home = await mkdtemp(join(tmpdir(), 'dkt-pg-'));
// The server runs as another user when the tests run as root.
await chmod(home, 0o711);
const log = createLog({ level: process.env['TEST_LOG'] ?? 'silent' });
const cluster = await openCluster({ dataDir: join(home, 'data'), log });
await migrate({ connectionString: cluster.url('postgres') });
const db = createPool({ url: cluster.url('postgres'), name: 'test', max: 3, log });
after(async () => {
  await worker.stop();
  await db.end();
  await cluster.stop({ evenIfInUse: true });
  await rm(home, { recursive: true, force: true });
});

const store = createMemoryStore();
const worker = await startWorker({
  config: {
    ...loadConfig({}),
    databaseUrl: cluster.url('postgres'),
    workerUrl: cluster.url('docket_worker'),
    queueUrl: cluster.url('docket_queue'),
    tempDir: join(home, 'temp'),
  },
  store,
  engine: createNullEngine(),
  log,
});
async function* png(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(`\u0089PNG\r\n\u001a\n${text}`, 'latin1'));
}

async function deliver(name: string): Promise<void> {
  for (let n = 0; n < JOBS; n += 1) {
    const { sha256, locator, sizeBytes } = await store.put(png(`${name} ${n}`));
    await db.query(
      `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at)
       values ('carrier-a', $1, $2, $3, 'image/png', now())`,
      [sha256, locator, sizeBytes],
    );
  }
}

const published = async () => {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from docket_audit.events where event = 'published'`,
  );
  return rows[0]!.n;
};

test('a worker outlives a kill of Postgres in mid-work: it goes on by itself, and every job is published once', async () => {
  await db.query(`select docket.add_source('carrier-a')`);
  await db.query(
    `insert into docket.source_members (source_id, role_name) values ('carrier-a', 'postgres') on conflict do nothing`,
  );
  await deliver('crash');
  await eventually('some are published', async () => (await published()) > 10);
  const lease = worker.leaseId;
  const { pid } = readPostmasterFile(cluster.dataDir)!;
  process.kill(pid, 'SIGKILL');
  await eventually('the server is gone', () => !cluster.alive());
  await cluster.ensureRunning();
  await eventually('all are published', async () => (await published()) === JOBS, { withinMs: 40_000 });
  assert.notEqual(worker.leaseId, lease);
  const { rows } = await db.query(
    `select from docket_audit.events where event in ('extracted', 'published') group by job_id, event having count(*) > 1`,
  );
  assert.equal(rows.length, 0);
});
