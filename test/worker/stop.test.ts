import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const fixture = await createFixture();

/** An engine that is asked, and answers when `go` is called, or when it is aborted. */
function waitingEngine(): OcrEngine & { files: string[]; go: () => void } {
  const engine = createNullEngine();
  const files: string[] = [];
  let go: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (go = resolve));
  return {
    ...engine,
    files,
    go: () => go(),
    async recognise(file, options) {
      files.push(file);
      await new Promise<void>((resolve, reject) => {
        options.signal.addEventListener('abort', () => reject(options.signal.reason as Error));
        void told.then(resolve);
      });
      return engine.recognise(file, options);
    },
  };
}

async function expectNothingLocked(): Promise<void> {
  const { rows: locked } = await fixture.db.query(
    'select from graphile_worker._private_jobs where locked_at is not null',
  );
  assert.equal(locked.length, 0);
  const { rows: open } = await fixture.db.query('select from docket.leases where closed_at is null');
  assert.equal(open.length, 0);
  const { rows: attempts } = await fixture.db.query('select from docket.attempts where ended_at is null');
  assert.equal(attempts.length, 0);
}

test('a stopping worker lets recognition finish within the grace, and leaves nothing locked', async () => {
  const engine = waitingEngine();
  const worker = await fixture.startWorker(engine);
  const jobs = await fixture.deliver(
    ...(await Promise.all(['a', 'b', 'c'].map((text) => fixture.put(text)))),
  );
  await eventually('two are being recognised', () => engine.files.length === 2);
  const stopped = worker.stop();
  engine.go();
  await stopped;
  const states = await fixture.states(jobs);
  assert.deepEqual(states.toSorted(), ['accepted', 'published', 'published']);
  assert.deepEqual(
    engine.files.filter((file) => existsSync(file)),
    [],
  );
  await expectNothingLocked();
});

test('a stopping worker aborts what outlasts the grace; that attempt does not count, and the job runs elsewhere', async () => {
  const engine = waitingEngine();
  const worker = await fixture.startWorker(engine, { config: { stopGraceMs: 100 } });
  const [job] = await fixture.deliver(await fixture.put('long'));
  await eventually('it is being recognised', () => engine.files.some((file) => file.includes(job!)));
  await worker.stop();
  await expectNothingLocked();
  const { rows } = await fixture.db.query<{ code: string; tries: number; next_task: string }>(
    `select a.code, j.tries, j.next_task from docket.jobs j join docket.attempts a using (job_id, attempt) where job_id = $1`,
    [job],
  );
  assert.deepEqual({ ...rows[0] }, { code: 'WORKER_STOPPING', tries: 0, next_task: 'ocr' });
  assert.deepEqual(
    engine.files.filter((file) => existsSync(file)),
    [],
  );

  const other = await fixture.startWorker(createNullEngine());
  await eventually(
    'it is published by another',
    async () => (await fixture.states([job!]))[0] === 'published',
  );
  await other.stop();
});

test('stopping a worker twice waits for the one stop', async () => {
  const worker = await fixture.startWorker(createNullEngine());
  await Promise.all([worker.stop(), worker.stop()]);
});

test('a worker stops while the store does not answer', async () => {
  const hanging = { ...fixture.store, get: () => new Promise<never>(() => undefined) };
  const worker = await fixture.startWorker(createNullEngine(), {
    store: hanging,
    config: { stopGraceMs: 50 },
  });
  const [job] = await fixture.deliver(await fixture.put('unreachable'));
  await eventually('it is being fetched', async () => {
    const { rows } = await fixture.db.query(
      'select from docket.attempts where job_id = $1 and ended_at is null',
      [job],
    );
    return rows.length === 1;
  });
  await worker.stop();
  await expectNothingLocked();
});

test('a worker takes no more messages than it has idle slots, and when it stops lets short tasks finish', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let fetching = 0;
  const objects = await Promise.all(Array.from({ length: 30 }, (_, n) => fixture.put(`slow ${n}`)));
  const slowOnes = new Set(objects.map((object) => object.locator));
  const slow = {
    ...fixture.store,
    async get(...parts: Parameters<typeof fixture.store.get>) {
      if (!slowOnes.has(parts[0].locator)) return fixture.store.get(...parts);
      fetching += 1;
      await released;
      return fixture.store.get(...parts);
    },
  };
  const worker = await fixture.startWorker(createNullEngine(), { store: slow, config: { ioSlots: 2 } });
  const jobs = await fixture.deliver(...objects);
  await eventually('two are being fetched', () => fetching === 2);
  const { rows: taken } = await fixture.db.query<{ locked: number; free: number }>(
    `select count(locked_at)::int as locked, count(*) filter (where locked_at is null)::int as free
     from graphile_worker._private_jobs where payload ->> 'job_id' = any ($1::text[])`,
    [jobs],
  );
  assert.equal(taken[0]!.locked, 2);
  assert.ok(taken[0]!.free > 0);
  const stopped = worker.stop();
  release();
  await stopped;
  await expectNothingLocked();
  const { rows } = await fixture.db.query<{ outcome: string; n: number }>(
    `select outcome, count(*)::int as n from docket.attempts where job_id = any ($1::uuid[]) group by 1`,
    [jobs],
  );
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ outcome: 'done', n: 2 }],
  );
  const { rows: delayed } = await fixture.db.query(
    `select last_error from graphile_worker._private_jobs where run_at > now() or last_error is not null`,
  );
  assert.deepEqual(delayed, []);
});
