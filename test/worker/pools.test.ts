import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import { spawnWorker } from './spawn-worker.ts';

const fixture = await createFixture();

/** A change of a limit has effect in every process within so long. */
const EFFECT = { withinMs: 2_000 };
const RECOGNISE_MS = 150;

async function limit(pool: string, perProcess: number | null, fleet: number | null = null): Promise<void> {
  await fixture.db.query('update docket.pool_limits set per_process = $2, fleet = $3 where pool = $1', [
    ...[pool, perProcess, fleet],
  ]);
}

/** An engine whose documents each wait to be let go, in the order in which they came. */
function gatedEngine(): OcrEngine & { waiting: (() => void)[] } {
  const engine = createNullEngine();
  const waiting: (() => void)[] = [];
  return {
    ...engine,
    waiting,
    async recognise(file, options) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return engine.recognise(file, options);
    },
  };
}

async function deliver(count: number, name: string): Promise<string[]> {
  const objects = await Promise.all(Array.from({ length: count }, (_, n) => fixture.put(`${name} ${n}`)));
  return fixture.deliver(...objects);
}

const published = async (jobs: string[]) =>
  (await fixture.states(jobs)).filter((state) => state === 'published').length;

async function startedOnce(jobs: string[]): Promise<void> {
  const { rows } = await fixture.db.query<{ started: number; lost: number }>(
    `select count(*) filter (where event = 'started')::int as started,
       count(*) filter (where event like '%\\_lost' or event like '%\\_retry')::int as lost
     from docket_audit.events where job_id = any ($1::uuid[])`,
    [jobs],
  );
  assert.deepEqual(rows[0], { started: jobs.length, lost: 0 });
}

/** How many of the jobs are due for a task that nobody has begun. */
async function due(jobs: string[], task: string): Promise<number> {
  const { rows } = await fixture.db.query(
    'select from docket.jobs where job_id = any ($1::uuid[]) and next_task = $2 and token is null',
    [jobs, task],
  );
  return rows.length;
}

test('slots are opened and closed while a worker runs; what is at work is neither dropped nor repeated', async () => {
  const engine = gatedEngine();
  const worker = await fixture.startWorker(engine, { config: { ocrSlots: 2 } });
  const jobs = await deliver(9, 'gated');
  await eventually('two are recognised, as configured', () => engine.waiting.length === 2);

  await limit('ocr', 5);
  await eventually('five are recognised', () => engine.waiting.length === 5, EFFECT);

  await limit('ocr', 1);
  await eventually('the limit is taken up', () => granted(worker.leaseId, 'ocr', 1), EFFECT);
  for (const done of [1, 2, 3, 4]) {
    engine.waiting.shift()!();
    await eventually('it is published', async () => (await published(jobs)) === done);
  }
  assert.equal(engine.waiting.length, 1, 'none took the place of the four');
  engine.waiting.shift()!();
  await eventually('one more is begun', () => engine.waiting.length === 1, EFFECT);

  await limit('ocr', 0);
  await eventually('the pool is paused', () => granted(worker.leaseId, 'ocr', 0), EFFECT);
  engine.waiting.shift()!();
  await eventually('six are published', async () => (await published(jobs)) === 6);
  await eventually('no slot is open', () => open(worker.leaseId, 'ocr', 0), EFFECT);
  assert.equal(engine.waiting.length, 0);

  await limit('ocr', null);
  await eventually('two are recognised again', () => engine.waiting.length === 2, EFFECT);
  engine.waiting.splice(0).forEach((go) => go());
  await eventually('the last is begun', () => engine.waiting.length === 1);
  engine.waiting.splice(0).forEach((go) => go());
  await eventually('all are published', async () => (await published(jobs)) === jobs.length);
  await startedOnce(jobs);
  await worker.stop();
});

async function granted(lease: string, pool: string, slots: number): Promise<boolean> {
  return grants(lease, pool, 'granted', slots);
}

async function open(lease: string, pool: string, slots: number): Promise<boolean> {
  return grants(lease, pool, 'running', slots);
}

async function grants(lease: string, pool: string, column: 'granted' | 'running', slots: number) {
  const { rows } = await fixture.db.query(
    `select from docket.slot_grants where lease_id = $1 and pool = $2 and ${column} = $3`,
    [lease, pool, slots],
  );
  return rows.length === 1;
}

test('a pool of short tasks is paused, shrunk and grown under load without losing or repeating one', async () => {
  const worker = await fixture.startWorker(createNullEngine(), { config: { ioSlots: 6 } });
  await limit('io', 0);
  await eventually('no slot is open', () => open(worker.leaseId, 'io', 0), EFFECT);
  const jobs = await deliver(120, 'short');
  await eventually('some are admitted', async () => (await due(jobs, 'hash')) > 0);
  const { rows: begun } = await fixture.db.query(
    'select from docket.attempts where job_id = any ($1::uuid[])',
    [jobs],
  );
  assert.equal(begun.length, 0);
  for (const slots of [1, 8, 2, 5]) {
    await limit('io', slots);
    await eventually('the limit is taken up', () => granted(worker.leaseId, 'io', slots), EFFECT);
  }
  await eventually('all are published', async () => (await published(jobs)) === jobs.length);
  await startedOnce(jobs);
  const { rows: tried } = await fixture.db.query(
    'select from docket.attempts where job_id = any ($1::uuid[]) group by job_id, task having count(*) > 1',
    [jobs],
  );
  assert.equal(tried.length, 0);
  await limit('io', null);
  await worker.stop();
});

test('slots for reserved lanes take nothing else, and the others take what is reserved too', async () => {
  const engine = gatedEngine();
  const worker = await fixture.startWorker(engine, { config: { ocrSlots: 1, ocrReservedSlots: 1 } });
  const standard = await deliver(3, 'standard');
  await eventually('one is recognised', () => engine.waiting.length === 1);
  await eventually('a further one is verified', async () => (await due(standard, 'ocr')) > 0);
  assert.equal(engine.waiting.length, 1, 'the reserved slot takes nothing of the standard lane');
  await fixture.db.query(
    `insert into docket.lane_rules (source_id, lane) values ('carrier-a', 'signature_critical')`,
  );
  const critical = await deliver(2, 'critical');
  await eventually('the reserved slot takes one', () => engine.waiting.length === 2);
  await eventually('the second is verified', async () => (await due(critical, 'ocr')) === 1);
  engine.waiting.shift()!();
  await eventually('a slot that comes free goes on', () => engine.waiting.length === 2);
  assert.deepEqual(await fixture.states(critical), ['running', 'running']);
  await fixture.db.query('delete from docket.lane_rules');
  const timer = setInterval(() => engine.waiting.splice(0).forEach((go) => go()), 20);
  await eventually('all are published', async () => (await published([...standard, ...critical])) === 5);
  clearInterval(timer);
  await startedOnce([...standard, ...critical]);
  await worker.stop();
});

test('while memory is short no recognition is begun, and everything else goes on', async () => {
  const worker = await fixture.startWorker(createNullEngine(), { config: { memoryReserveMb: 1_000_000 } });
  const jobs = await deliver(3, 'short of memory');
  await eventually('one is verified', async () => (await due(jobs, 'ocr')) > 0);
  const { rows } = await fixture.db.query(
    'select pool, held_back, running from docket.slot_grants where lease_id = $1 order by pool',
    [worker.leaseId],
  );
  assert.deepEqual(rows, [
    { pool: 'audit', held_back: 'memory', running: 0 },
    { pool: 'io', held_back: null, running: 10 },
    { pool: 'ocr', held_back: 'memory', running: 0 },
    { pool: 'ocr_reserved', held_back: 'memory', running: 0 },
  ]);
  const helper = await fixture.startWorker(createNullEngine());
  await eventually('a process that has memory recognises them', async () => (await published(jobs)) === 3);
  await Promise.all([worker.stop(), helper.stop()]);
});

test('two processes never have more slots together than the fleet may, as its limit goes down and up', async () => {
  const config = { ...fixture.config, store: `file:${fixture.config.dataDir}/objects`, ocrSlots: 3 };
  await limit('ocr', null, 4);
  const workers = [1, 2].map(() => spawnWorker({ config, recogniseMs: RECOGNISE_MS }));
  const leases = await Promise.all(workers.map((worker) => worker.lease));
  const jobs = await deliver(250, 'fleet');
  const changes = [{ at: 0, fleet: 4 }];
  for (const fleet of [1, 5, 0, 3]) {
    const before = await published(jobs);
    const isPaused = changes.at(-1)!.fleet === 0;
    await eventually('some are published', async () => isPaused || (await published(jobs)) > before + 10);
    const { rows } = await fixture.db.query<{ at: number }>(
      `update docket.pool_limits set fleet = $1 where pool = 'ocr'
       returning extract(epoch from clock_timestamp())::float8 as at`,
      [fleet],
    );
    changes.push({ at: rows[0]!.at, fleet });
    await eventually(
      `${fleet} slots are open`,
      async () => {
        const { rows: sums } = await fixture.db.query<{ granted: number; running: number }>(
          `select sum(granted)::int as granted, sum(running)::int as running from docket.slot_grants
           where pool = 'ocr' and lease_id = any ($1::uuid[])`,
          [leases],
        );
        return sums[0]!.granted === fleet && sums[0]!.running === fleet;
      },
      { withinMs: EFFECT.withinMs + RECOGNISE_MS },
    );
  }
  await eventually('all are published', async () => (await published(jobs)) === jobs.length, {
    withinMs: 60_000,
  });
  await startedOnce(jobs);

  // Whenever recognition began, how many were at it, and the highest limit of the two seconds before.
  const { rows: begun } = await fixture.db.query<{ at: number; running: number }>(
    `select extract(epoch from a.started_at)::float8 as at,
       (select count(*)::int from docket.attempts o
        where o.task = 'ocr' and o.job_id = any ($1::uuid[])
          and o.started_at <= a.started_at and o.ended_at > a.started_at) as running
     from docket.attempts a where a.task = 'ocr' and a.job_id = any ($1::uuid[])`,
    [jobs],
  );
  assert.equal(begun.length, jobs.length);
  for (const { at, running } of begun) {
    const inEffect = changes.filter(
      (change, n) => change.at <= at && (changes[n + 1]?.at ?? Infinity) > at - EFFECT.withinMs / 1_000,
    );
    const most = Math.max(...inEffect.map((change) => change.fleet));
    assert.ok(running <= most, `${running} at ${at}, not ${most}`);
  }
  assert.ok(begun.some(({ running }) => running === 5));
  for (const worker of workers) worker.process.kill('SIGTERM');
  await Promise.all(workers.map((worker) => worker.exited));
  await limit('ocr', null);
});
