import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'node:test';
import { openCluster } from '../../src/db/cluster/cluster.ts';
import { socketUrl } from '../../src/db/cluster/superuser.ts';
import { createPool } from '../../src/db/pools.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { copyAsStandby } from '../support/standby.ts';
import { Deliverer, deliverScans } from './deliver-acknowledged.ts';
import { askOnce, openOwnServer } from './own-server.ts';
import { arePublished, fatesOf } from './published-once.ts';

/** Documents that are published before anything happens, and after each thing that does. */
const STEP = 20;

test('a restart of Postgres, and then its death and a standby in its place, lose nothing that was acknowledged; nobody is restarted', async (t) => {
  const primary = await openOwnServer({ settings: { wal_level: 'replica' } });
  const { home, log } = primary;
  const pool = createPool({ url: primary.cluster.url('postgres'), name: 'test', log, max: 1 });
  await copyAsStandby(pool, primary.cluster.dataDir, join(home, 'standby'));
  await pool.end();
  const { socketDir, port } = primary.cluster;
  const standby = await openCluster({
    dataDir: join(home, 'standby'),
    settings: { primary_conninfo: `host=${socketDir} port=${port} user=postgres application_name=standby` },
    log,
  });
  // From now on nothing is acknowledged that the standby has not written.
  await primary.ask(`alter system set synchronous_standby_names = 'standby'`);
  await primary.ask('select pg_reload_conf()');
  await eventually('the standby follows', async () => {
    const rows = await primary.ask<{ sync_state: string }>('select sync_state from pg_stat_replication');
    return rows[0]?.sync_state === 'sync';
  });

  const proxy = await startDatabaseProxy(primary.cluster);
  const url = (role: string) => socketUrl(proxy, role, 'docket');
  const ask = <Row extends object>(text: string, values?: unknown[]) =>
    askOnce<Row>(url('postgres'), log, text, values);
  const store = createMemoryStore();
  const worker = await startWorker({
    config: {
      ...primary.config,
      databaseUrl: url('postgres'),
      workerUrl: url('docket_worker'),
      queueUrl: url('docket_queue'),
      ...{ ioSlots: 20, ocrSlots: 20 },
    },
    keyring: await openKeyring(primary.config),
    store,
    engine: createNullEngine(),
    log,
  });
  const sender = new Deliverer(url('postgres'), log);
  const scans = deliverScans(sender, store, 100);
  const someMore = async () => {
    const until = sender.acknowledged.size + STEP;
    await eventually(
      'more are published',
      async () => {
        if (sender.acknowledged.size < until) return false;
        return arePublished(ask, sender.jobs.slice(0, until)).catch(() => false);
      },
      { withinMs: 60_000, everyMs: 100 },
    );
  };
  try {
    await someMore();

    // As for a change of a setting: sessions are told to go, and the server comes back.
    const lease = worker.leaseId;
    await ask('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()').catch(
      () => undefined,
    );
    await primary.kill();
    await primary.cluster.ensureRunning();
    await eventually('the worker has a new lease', () => worker.leaseId !== lease);
    await eventually('the standby follows again', async () => {
      const rows = await ask<{ sync_state: string }>('select sync_state from pg_stat_replication').catch(
        () => [],
      );
      return rows[0]?.sync_state === 'sync';
    });
    await someMore();

    await primary.kill();
    const before = sender.acknowledged.size;
    // It only reads until it is promoted; that too has to be outlasted.
    proxy.pointTo(standby);
    await delay(1_000);
    const begunMs = performance.now();
    await askOnce(standby.url('postgres'), log, 'select pg_promote()');
    await someMore();
    t.diagnostic(
      `${before} acknowledged before; at work again after ${Math.round(performance.now() - begunMs)} ms`,
    );

    await scans.end();
    await eventually('all are published', () => arePublished(ask, sender.jobs));
    await worker.stop();
    assert.deepEqual(await fatesOf(ask, sender.jobs), { lost: 0, doubled: 0 });
    assert.ok(sender.jobs.length >= 3 * STEP);
  } finally {
    await sender.stop();
    await scans.end();
    await worker.stop();
    await proxy.stop();
    await standby.stop({ evenIfInUse: true });
    await primary.close();
  }
});
