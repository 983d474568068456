import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'node:test';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const fixture = await createFixture();

/** An engine whose documents wait, each until it is let go by the id of its job, or aborted. */
function gatedEngine(): OcrEngine & { waiting: Set<string>; release(...jobs: string[]): void } {
  const engine = createNullEngine();
  const waiting = new Set<string>();
  const gates = new Map<string, () => void>();
  const released = new Set<string>();
  return {
    ...engine,
    waiting,
    release(...jobs) {
      for (const job of jobs) {
        released.add(job);
        gates.get(job)?.();
      }
    },
    async recognise(file, options) {
      const job = /[0-9a-f-]{36}(?=-\d+$)/.exec(file)![0];
      waiting.add(job);
      try {
        await new Promise<void>((resolve, reject) => {
          gates.set(job, resolve);
          if (released.has(job)) resolve();
          options.signal.addEventListener('abort', () => reject(options.signal.reason as Error));
        });
      } finally {
        waiting.delete(job);
      }
      return engine.recognise(file, options);
    },
  };
}

async function attemptsOf(jobs: readonly string[]): Promise<{ task: string; code: string | null }[]> {
  const { rows } = await fixture.db.query<{ task: string; code: string | null }>(
    'select task, code from docket.attempts where job_id = any ($1::uuid[]) order by job_id, attempt',
    [jobs],
  );
  return rows.map((row) => ({ ...row }));
}

const twoDocuments = async (name: string) =>
  fixture.deliver(await fixture.put(`${name} 1`), await fixture.put(`${name} 2`));

const arePublished = async (jobs: readonly string[]) =>
  (await fixture.states(jobs)).every((state) => state === 'published');

test('what ends while somebody locks the jobs is recorded when the lock is gone, and costs no try', async () => {
  const engine = gatedEngine();
  const url = new URL(fixture.config.workerUrl!.replace('@/', '@localhost/'));
  url.searchParams.set('statement_timeout', '700');
  const workerUrl = url.href.replace('@localhost/', '@/');
  const worker = await fixture.startWorker(engine, { config: { workerUrl } });
  const lease = worker.leaseId;
  const jobs = await twoDocuments('locked out');
  await eventually('both are being recognised', () => engine.waiting.size === 2);

  const locker = await fixture.db.connect();
  try {
    await locker.query('begin; lock table docket.jobs in share mode');
    engine.release(...jobs);
    await delay(5_000);
  } finally {
    await locker.query('rollback');
    locker.release();
  }
  await eventually('both are published', () => arePublished(jobs));
  const attempts = await attemptsOf(jobs);
  assert.deepEqual(
    attempts.map((attempt) => attempt.task),
    ['hash', 'ocr', 'publish', 'hash', 'ocr', 'publish'],
  );
  assert.ok(attempts.every((attempt) => attempt.code === null));
  assert.equal(worker.leaseId, lease);
  await worker.stop();
});

test('an attempt that the database cannot end ends the lease, not the document; the others are handed back', async () => {
  const engine = gatedEngine();
  const worker = await fixture.startWorker(engine);
  const lease = worker.leaseId;
  const [failing, other] = (await twoDocuments('server failed')) as [string, string];
  await eventually('both are being recognised', () => engine.waiting.size === 2);

  await fixture.db.query(`
    create function public.fail() returns trigger language plpgsql as
      $$begin raise exception 'could not write block' using errcode = '58030'; end$$;
    create trigger fail before insert on docket.results for each row
      when (new.job_id = '${failing}') execute function public.fail()`);
  engine.release(failing);
  await eventually('it begins anew', () => worker.leaseId !== lease);
  await fixture.db.query('drop trigger fail on docket.results');
  engine.release(other);

  await eventually('both are published', () => arePublished([failing, other]));
  const codes = async (job: string) =>
    (await attemptsOf([job])).filter((attempt) => attempt.task === 'ocr').map((attempt) => attempt.code);
  assert.deepEqual(await codes(other), ['WORKER_STOPPING', null]);
  const [first, ...rest] = await codes(failing);
  assert.equal(first, 'WORKER_LOST');
  assert.ok(rest.every((code) => code === null || code === 'WORKER_LOST'));
  await worker.stop();
});
