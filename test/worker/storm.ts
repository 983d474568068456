import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import type { Fixture } from './fixture.ts';
import type { WorkerProcess } from './fork-worker.ts';
import { spawnWorker } from './spawn-worker.ts';

/**
 * Three worker processes do jobs; one of them at random is killed again and again, and replaced, until the kills are used
 * up. Then asserts that every job was published exactly once, with one result, and that the chains hold.
 */
export async function storm(
  fixture: Fixture,
  options: { jobs: number; kills: number; recogniseMs: number; withinMs: number; random: () => number },
): Promise<{ kills: number; starts: number; lost: number; seconds: number }> {
  const { jobs, kills, recogniseMs, withinMs, random } = options;
  const startedMs = performance.now();
  const config = { ...fixture.config, store: `file:${fixture.config.dataDir}/objects` };
  const objects = await Promise.all(Array.from({ length: jobs }, (_, n) => fixture.put(`storm ${n}`)));
  const ids = await fixture.deliver(...objects);

  const start = () => spawnWorker({ config, recogniseMs });
  const workers: WorkerProcess[] = [start(), start(), start()];
  for (let kill = 0; kill < kills; kill += 1) {
    const at = Math.floor(random() * workers.length);
    // Any moment will do, that of starting too: what the delay spreads is the moment of dying.
    await Promise.race([workers[at]!.lease, delay(1_000)]);
    await delay(random() * 300);
    workers[at]!.process.kill('SIGKILL');
    workers[at] = start();
  }
  await eventually(
    'every job is published',
    async () => {
      const states = await fixture.states(ids);
      return states.length === jobs && states.every((state) => state === 'published');
    },
    { withinMs, everyMs: 100 },
  );
  for (const worker of workers) worker.process.kill('SIGTERM');
  await Promise.all(workers.map((worker) => worker.exited));

  const { rows } = await fixture.db.query<Record<string, number>>(
    `select count(*) filter (where event = 'published')::int as published,
            count(distinct job_id) filter (where event = 'published')::int as jobs_published,
            count(*) filter (where event = 'extracted')::int as extracted,
            count(*) filter (where event = 'started')::int as started,
            count(*) filter (where event like '%\\_lost')::int as lost,
            (select count(*)::int from docket.results) as results
     from docket_audit.events where job_id = any ($1::uuid[])`,
    [ids],
  );
  const seen = rows[0]!;
  assert.deepEqual(
    [seen['published'], seen['jobs_published'], seen['extracted'], seen['results']],
    [jobs, jobs, jobs, jobs],
  );
  const { rows: chains } = await fixture.db.query<{ failed_count: string }>(
    'select * from docket.verify_log()',
  );
  assert.deepEqual(
    chains.filter((row) => row.failed_count !== '0'),
    [],
  );
  const { rows: locked } = await fixture.db.query(
    'select from graphile_worker._private_jobs where locked_at is not null',
  );
  assert.equal(locked.length, 0);
  return {
    kills,
    starts: seen['started']!,
    lost: seen['lost']!,
    seconds: Math.round((performance.now() - startedMs) / 100) / 10,
  };
}
