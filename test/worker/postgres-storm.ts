import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { loadConfig } from '../../src/config.ts';
import { openCluster } from '../../src/db/cluster/cluster.ts';
import { readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createClient } from '../../src/db/pools.ts';
import { createLog } from '../../src/log.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { eventually } from '../support/eventually.ts';

/**
 * A worker does jobs on a server of its own, which is killed again and again while it does. Asserts that the worker went on
 * by itself each time, that every delivery that was acknowledged was published, once, and that the chains hold. At the end
 * the worker is stopped while the server is down.
 */
export async function postgresStorm(options: {
  kills: number;
  jobsEach: number;
}): Promise<{ kills: number; jobs: number; slowestRecoveryMs: number }> {
  const home = await mkdtemp(join(tmpdir(), 'dkt-pg-'));
  // The server runs as another user when the tests run as root.
  await chmod(home, 0o711);
  const log = createLog({ level: process.env['TEST_LOG'] ?? 'silent' });
  const cluster = await openCluster({ dataDir: join(home, 'data'), log });
  const url = cluster.url('postgres');
  await migrate({ connectionString: url });
  const ask = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> => {
    const client = createClient({ url, name: 'test', log });
    client.on('error', () => undefined);
    await client.connect();
    return client.query<Row>(text, values).then(
      ({ rows }) => client.end().then(() => rows),
      (error: unknown) => client.end().then(() => Promise.reject(error as Error)),
    );
  };
  await ask(`select docket.add_source('carrier-a')`);
  await ask(`insert into docket.source_members (source_id, role_name) values ('carrier-a', 'postgres')`);

  const store = createMemoryStore();
  const workerUrls = { workerUrl: cluster.url('docket_worker'), queueUrl: cluster.url('docket_queue') };
  const worker = await startWorker({
    config: { ...loadConfig({}), databaseUrl: url, ...workerUrls, tempDir: join(home, 'temp') },
    keyring: await openKeyring(loadConfig({ DOCKET_KEY_FILE: join(home, 'object-keys.json') })),
    store,
    engine: createNullEngine(),
    log,
  });
  try {
    const published = async (): Promise<number> =>
      (await ask<{ n: number }>(`select count(*)::int as n from docket.jobs where state = 'published'`))[0]!
        .n;
    let slowestRecoveryMs = 0;
    for (let kill = 1; kill <= options.kills; kill += 1) {
      const objects = await Promise.all(
        Array.from({ length: options.jobsEach }, (_, n) => store.put(png(`${kill} ${n}`))),
      );
      await ask(
        `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at, encryption)
         select 'carrier-a', o.sha256, o.locator, o.size_bytes, 'image/png', now(), 'none'
         from unnest($1::bytea[], $2::text[], $3::bigint[]) as o (sha256, locator, size_bytes)`,
        [
          objects.map((object) => object.sha256),
          objects.map((object) => object.locator),
          objects.map((object) => object.sizeBytes),
        ],
      );
      const before = (kill - 1) * options.jobsEach;
      await eventually('some are published', async () => (await published()) > before + Math.random() * 20);
      const lease = worker.leaseId;
      process.kill(readPostmasterFile(cluster.dataDir)!.pid, 'SIGKILL');
      await eventually('the server is gone', () => !cluster.alive());
      await cluster.ensureRunning();
      const upMs = performance.now();
      await eventually('the worker has a new lease', () => worker.leaseId !== lease, { withinMs: 30_000 });
      slowestRecoveryMs = Math.max(slowestRecoveryMs, Math.round(performance.now() - upMs));
      await eventually('all are published', async () => (await published()) === before + options.jobsEach, {
        withinMs: 60_000,
        everyMs: 100,
      });
    }
    const twice = await ask(
      `select from docket_audit.events where event in ('verified', 'extracted', 'published')
       group by job_id, event having count(*) > 1`,
    );
    assert.equal(twice.length, 0);
    for (const { failed_count } of await ask<{ failed_count: string }>('select * from docket.verify_log()')) {
      assert.equal(failed_count, '0');
    }
    process.kill(readPostmasterFile(cluster.dataDir)!.pid, 'SIGKILL');
    await eventually('the server is gone', () => !cluster.alive());
    const outcome = await Promise.race([worker.stop(), delay(15_000, 'late')]);
    assert.equal(outcome, undefined, 'a worker stops without a database too');
    return { kills: options.kills + 1, jobs: options.kills * options.jobsEach, slowestRecoveryMs };
  } finally {
    await worker.stop();
    await cluster.stop({ evenIfInUse: true });
    await rm(home, { recursive: true, force: true });
  }
}

async function* png(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(`\u0089PNG\r\n\u001a\n${text}`, 'latin1'));
}
