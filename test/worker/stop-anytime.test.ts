import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'node:test';
import type { Config } from '../../src/config.ts';
import { socketUrl } from '../../src/db/cluster/superuser.ts';
import type { DatabaseProxy } from '../support/database-proxy.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { seeded } from '../support/seeded.ts';
import { testCluster } from '../support/test-cluster.ts';
import { createFixture } from './fixture.ts';
import { spawnWorker } from './spawn-worker.ts';

const fixture = await createFixture();
const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);
const random = seeded(seed);

const PHASES = ['starting', 'at work'] as const;
/** What befalls the connections of a worker about when it is told to stop. */
const NETWORKS: Record<string, (proxy: DatabaseProxy) => void> = {
  whole: () => undefined,
  cut: (proxy) => proxy.pointTo(testCluster()),
  gone: (proxy) => proxy.pointTo({ socketDir: '/nowhere', port: 1 }),
};

/** Settings of a worker that comes to the database through this proxy. */
function configOver(proxy: DatabaseProxy): Config {
  const database = /[^/]*(?=\?)/.exec(fixture.config.workerUrl!)![0];
  return {
    ...fixture.config,
    store: `file:${fixture.config.dataDir}/objects`,
    workerUrl: socketUrl(proxy, 'docket_worker', database),
    queueUrl: socketUrl(proxy, 'docket_queue', database),
    ...{ stopGraceMs: 200, ioSlots: 6, ocrSlots: 3 },
  };
}

/** Tells a worker to stop at some moment of a phase, and answers how it ended. */
async function stopOne(phase: (typeof PHASES)[number], befall: (proxy: DatabaseProxy) => void) {
  const proxy = await startDatabaseProxy(testCluster());
  try {
    const worker = spawnWorker({ config: configOver(proxy), recogniseMs: 100 });
    await worker.listening;
    if (phase === 'at work') await worker.lease;
    await delay(random() * 1_000);
    const befallen = delay(random() * 100).then(() => befall(proxy));
    await delay(random() * 100);
    worker.process.kill('SIGTERM');
    await befallen;
    return await worker.exited;
  } finally {
    await proxy.stop();
  }
}

test('a worker told to stop at any moment ends in order: while it starts, while its slots change, while it loses Postgres', async (t) => {
  t.diagnostic(`seed ${seed}`);
  let isOver = false;
  const disturb = async (work: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; !isOver; turn += 1) {
      await work(turn);
      await delay(random() * 150);
    }
  };
  const disturbing = [
    disturb(() =>
      fixture.db.query('update docket.pool_limits set per_process = $1', [Math.floor(random() * 5)]),
    ),
    disturb(async (turn) =>
      fixture.deliver(
        ...(await Promise.all(['a', 'b', 'c'].map((text) => fixture.put(`${text} of turn ${turn}`)))),
      ),
    ),
  ];
  try {
    for (const phase of PHASES) {
      const ends = Object.entries(NETWORKS).map(async ([network, befall]) => [
        network,
        await stopOne(phase, befall),
      ]);
      const inOrder = { code: 0, signal: null };
      assert.deepEqual(
        Object.fromEntries(await Promise.all(ends)),
        { whole: inOrder, cut: inOrder, gone: inOrder },
        phase,
      );
    }
  } finally {
    isOver = true;
    await Promise.all(disturbing);
  }
});
