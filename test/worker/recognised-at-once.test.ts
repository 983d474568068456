import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import { spawnWorker } from './spawn-worker.ts';

const fixture = await createFixture();

/** An engine whose documents each wait to be let go, or are aborted. */
function gatedEngine(): OcrEngine & { waiting: (() => void)[] } {
  const engine = createNullEngine();
  const waiting: (() => void)[] = [];
  return {
    ...engine,
    waiting,
    async recognise(file, options) {
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve);
        options.signal.addEventListener('abort', () => reject(options.signal.reason as Error));
      });
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

/** How many of the jobs were recognised, as yet, under an attempt that no message began. */
async function atOnce(jobs: string[]): Promise<number> {
  const { rows } = await fixture.db.query(
    `select from docket.attempts where job_id = any ($1::uuid[]) and task = 'ocr' and reference_nonce is null`,
    [jobs],
  );
  return rows.length;
}

/** How many messages were ever put into the queue; itself counts as one. */
async function messages(): Promise<number> {
  const { rows } = await fixture.db.query<{ id: string }>(
    `select nextval(pg_get_serial_sequence('graphile_worker._private_jobs', 'id')) as id`,
  );
  return Number(rows[0]!.id);
}

async function slots(lease: string, pool: string, running: number): Promise<boolean> {
  const { rows } = await fixture.db.query(
    'select from docket.slot_grants where lease_id = $1 and pool = $2 and running = $3',
    [lease, pool, running],
  );
  return rows.length === 1;
}

async function limit(pool: string, perProcess: number | null): Promise<void> {
  await fixture.db.query('update docket.pool_limits set per_process = $2 where pool = $1', [
    pool,
    perProcess,
  ]);
}

/**
 * Delivers one document after another until one is recognised at once, and waits at the gate with those that were there before; others
 * are let go. While its runner looks into the queue no slot is idle, and a document takes a message.
 */
async function recogniseAtOnce(engine: { waiting: (() => void)[] }, name: string): Promise<string> {
  const before = engine.waiting.length;
  for (let n = 0; n < 50; n += 1) {
    const [job] = await deliver(1, `${name} ${n}`);
    await eventually('it is recognised', () => engine.waiting.length > before);
    if ((await atOnce([job!])) === 1) return job!;
    engine.waiting.pop()!();
    await eventually('it is published', async () => (await published([job!])) === 1);
  }
  throw new Error('no document is recognised at once');
}

const EVENTS = ['accepted', 'admitted', 'verified', 'started', 'extracted', 'published'];

test('a document takes one message from arrival to publication when a slot is idle', async () => {
  const worker = await fixture.startWorker(createNullEngine());
  const before = await messages();
  const jobs: string[] = [];
  // While its runner looks into the queue no slot is idle, and a document takes a second message.
  while ((await atOnce(jobs)) < 3 && jobs.length < 50) {
    const [job] = await deliver(1, `idle ${jobs.length}`);
    jobs.push(job!);
    await eventually('it is published', async () => (await published([job!])) === 1);
  }
  const fast = await atOnce(jobs);
  assert.equal(fast, 3);
  assert.equal((await messages()) - before - 1, jobs.length + (jobs.length - fast));
  for (const job of jobs) assert.deepEqual(await fixture.events(job), EVENTS);
  await worker.stop();
});

test('a document takes a message when all slots are at work, and goes before what is verified later', async () => {
  const engine = gatedEngine();
  const worker = await fixture.startWorker(engine, { config: { ocrSlots: 1 } });
  const [first] = await deliver(1, 'first');
  await eventually('it is recognised', () => engine.waiting.length === 1);
  const [second] = await deliver(1, 'second');
  await eventually('the next waits', async () => (await fixture.events(second!)).includes('verified'));
  engine.waiting.shift()!();
  await eventually('the next is recognised', () => engine.waiting.length === 1);
  engine.waiting.shift()!();
  await eventually('both are published', async () => (await published([first!, second!])) === 2);
  assert.equal(await atOnce([second!]), 0);
  await worker.stop();
});

test('a document takes a message when the pool has no slots', async () => {
  await limit('ocr', 0);
  const worker = await fixture.startWorker(createNullEngine());
  await eventually('the pool is paused', () => slots(worker.leaseId, 'ocr', 0));
  const jobs = await deliver(1, 'paused');
  await eventually('it is verified', async () => (await fixture.events(jobs[0]!)).includes('verified'));
  assert.deepEqual(await fixture.states(jobs), ['accepted']);
  await limit('ocr', null);
  await eventually('it is published', async () => (await published(jobs)) === 1);
  assert.equal(await atOnce(jobs), 0);
  await worker.stop();
});

test('a lent slot counts as one at work until it is given back, also when its pool shrinks', async () => {
  const engine = gatedEngine();
  const worker = await fixture.startWorker(engine, { config: { ocrSlots: 2 } });
  const jobs = [await recogniseAtOnce(engine, 'lent'), await recogniseAtOnce(engine, 'lent too')];
  assert.equal(engine.waiting.length, 2);
  await limit('ocr', 0);
  await eventually('the pool is paused', async () => {
    const { rows } = await fixture.db.query(
      `select from docket.slot_grants where lease_id = $1 and pool = 'ocr' and granted = 0 and running = 2`,
      [worker.leaseId],
    );
    return rows.length === 1;
  });
  engine.waiting.shift()!();
  await eventually('one is open', () => slots(worker.leaseId, 'ocr', 1));
  engine.waiting.shift()!();
  await eventually('none is open', () => slots(worker.leaseId, 'ocr', 0));
  assert.equal(await published(jobs), 2);
  await limit('ocr', null);
  await eventually('two are open again', () => slots(worker.leaseId, 'ocr', 2));
  const further = await deliver(3, 'after');
  const timer = setInterval(() => engine.waiting.splice(0).forEach((go) => go()), 20);
  await eventually('all are published', async () => (await published(further)) === 3);
  clearInterval(timer);
  await worker.stop();
});

test('a worker that is told to stop waits for what it recognises in a lent slot', async () => {
  const engine = gatedEngine();
  const worker = await fixture.startWorker(engine);
  const job = await recogniseAtOnce(engine, 'stopped');
  const stopped = worker.stop();
  engine.waiting.shift()!();
  await stopped;
  assert.deepEqual([await published([job]), await atOnce([job])], [1, 1]);
});

test('what does not end within the grace is handed back from a lent slot, and counts as no try', async () => {
  const engine = gatedEngine();
  const worker = await fixture.startWorker(engine, { config: { stopGraceMs: 100 } });
  const job = await recogniseAtOnce(engine, 'handed back');
  await worker.stop();
  const { rows } = await fixture.db.query('select outcome, code from docket.attempts where job_id = $1', [
    job,
  ]);
  assert.deepEqual(rows.at(-1), { outcome: 'failed', code: 'WORKER_STOPPING' });
  const next = await fixture.startWorker(createNullEngine());
  await eventually('it is published', async () => (await published([job])) === 1);
  await next.stop();
});

test('a worker killed between verification and result leaves one result', async () => {
  const config = { ...fixture.config, store: `file:${fixture.config.dataDir}/objects` };
  const victim = spawnWorker({ config, recogniseMs: null });
  await victim.lease;
  const [job] = await deliver(1, 'killed');
  await victim.recognising();
  victim.process.kill('SIGKILL');
  await victim.exited;
  const rescuer = await fixture.startWorker(createNullEngine());
  await eventually('it is published', async () => (await published([job!])) === 1);
  const { rows } = await fixture.db.query('select from docket.results where job_id = $1', [job]);
  assert.equal(rows.length, 1);
  assert.deepEqual(await fixture.events(job!), [
    ...['accepted', 'admitted', 'verified', 'started', 'ocr_lost', 'started', 'extracted', 'published'],
  ]);
  await rescuer.stop();
});
