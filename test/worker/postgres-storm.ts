import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { eventually } from '../support/eventually.ts';
import { openOwnServer, SOURCE } from './own-server.ts';

/**
 * A worker does jobs on a server of its own, which is killed again and again while it does. Asserts that the worker went on
 * by itself each time, that every delivery that was acknowledged was published, once, and that the chains hold. At the end
 * the worker is stopped while the server is down.
 */
export async function postgresStorm(options: {
  kills: number;
  jobsEach: number;
}): Promise<{ kills: number; jobs: number; slowestRecoveryMs: number }> {
  const server = await openOwnServer();
  const { ask, config } = server;
  const store = createMemoryStore();
  const worker = await startWorker({
    config,
    keyring: await openKeyring(config),
    store,
    engine: createNullEngine(),
    log: server.log,
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
         select '${SOURCE}', o.sha256, o.locator, o.size_bytes, 'image/png', now(), 'none'
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
      await server.kill();
      await server.cluster.ensureRunning();
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
    await server.kill();
    const outcome = await Promise.race([worker.stop(), delay(15_000, 'late')]);
    assert.equal(outcome, undefined, 'a worker stops without a database too');
    return { kills: options.kills + 1, jobs: options.kills * options.jobsEach, slowestRecoveryMs };
  } finally {
    await worker.stop();
    await server.close();
  }
}

async function* png(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(`\u0089PNG\r\n\u001a\n${text}`, 'latin1'));
}
