import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import type { ObjectStore } from '../../src/store/store.ts';
import { claimsOf, keyOf, sign } from '../sql/reference-key.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const fixture = await createFixture();
const { db } = fixture;

/** Places that any worker read from, in order. */
const fetched: string[] = [];
const store: ObjectStore = {
  ...fixture.store,
  get(reference, options) {
    fetched.push(reference.locator);
    return fixture.store.get(reference, options);
  },
};

async function refOf(job: string): Promise<string> {
  const { rows } = await db.query<{ ref: string }>(
    `select payload ->> 'ref' as ref from graphile_worker._private_jobs where payload ->> 'job_id' = $1`,
    [job],
  );
  return rows[0]!.ref;
}

/** Puts messages into the queue as whoever has its login could; other keys than job_id and ref come with them. */
async function send(task: string, message: Record<string, unknown>): Promise<void> {
  await db.query('select graphile_worker.add_job($1, $2::json)', [task, JSON.stringify(message)]);
}

async function emptied(): Promise<void> {
  await eventually('the queue is empty', async () => {
    const { rows } = await db.query('select from graphile_worker._private_jobs');
    return rows.length === 0;
  });
}

async function refusals(job: string): Promise<string[]> {
  const { rows } = await db.query<{ code: string }>(
    `select code from docket_audit.events where job_id = $1 and event = 'reference_refused' order by seq`,
    [job],
  );
  return rows.map((row) => row.code);
}

async function attemptsOf(job: string): Promise<number[]> {
  const { rows } = await db.query<{ attempt: number }>(
    'select attempt from docket.attempts where job_id = $1 order by attempt',
    [job],
  );
  return rows.map((row) => row.attempt);
}

async function published(job: string): Promise<void> {
  await eventually('it is published', async () => (await fixture.states([job]))[0] === 'published');
}

/** Documents that are due and whose messages were taken from the queue, so that only what a test sends is there. */
async function due(...names: string[]): Promise<{ job: string; ref: string; locator: string }[]> {
  const objects = await Promise.all(names.map((name) => fixture.put(name)));
  const jobs = await fixture.deliver(...objects);
  await db.query('select docket.admit(1000)');
  const refs = await Promise.all(jobs.map(refOf));
  await db.query('delete from graphile_worker._private_jobs');
  return jobs.map((job, index) => ({ job, ref: refs[index]!, locator: objects[index]!.locator }));
}

/** Keeps the reconciler from waking what is due, so that a test sees what its own messages do. */
async function holdReconciler(): Promise<() => Promise<void>> {
  const client = await db.connect();
  await client.query('begin');
  await client.query(`select from docket.duties where duty = 'reconcile' for update`);
  return async () => {
    await client.query('commit');
    client.release();
  };
}

test('a worker fetches nothing for a message whose reference is forged, altered, another job’s or another task’s', async () => {
  const [one, other] = await due('forged', 'of the other');
  const release = await holdReconciler();
  const { kid, key } = await keyOf(db);
  const claims = claimsOf(one!.ref);
  await send('hash', { job_id: one!.job, ref: 'forged' });
  await send('hash', { job_id: one!.job, ref: await sign(claims, { kid, key: Buffer.alloc(32) }) });
  await send('hash', { job_id: one!.job, ref: `${one!.ref.slice(0, -2)}AA` });
  await send('hash', { job_id: one!.job, ref: other!.ref });
  await send('hash', { job_id: one!.job, ref: await sign({ ...claims, purpose: 'ocr' }, { kid, key }) });
  await send('ocr', { job_id: one!.job, ref: one!.ref });
  await send('publish', { job_id: one!.job, ref: one!.ref });
  const worker = await fixture.startWorker(createNullEngine(), { store });
  await emptied();
  assert.deepEqual(await refusals(one!.job), Array(7).fill('REFERENCE_FORGED'));
  assert.deepEqual(await attemptsOf(one!.job), []);
  assert.deepEqual(fetched, []);

  // the reconciler wakes both by references of its own
  await release();
  await published(one!.job);
  await published(other!.job);
  assert.deepEqual(await attemptsOf(one!.job), [1, 2, 3]);
  await worker.stop();
});

test('a message that a thief copied does nothing once it was used, and nothing when it was not and another came first', async () => {
  const [one] = await due('copied');
  const worker = await fixture.startWorker(createNullEngine(), { store });
  await send('hash', { job_id: one!.job, ref: one!.ref });
  await published(one!.job);
  await emptied();
  fetched.length = 0;
  await send('hash', { job_id: one!.job, ref: one!.ref });
  await emptied();
  assert.deepEqual(await refusals(one!.job), ['REFERENCE_REPLAYED']);
  assert.deepEqual(fetched, []);
  assert.deepEqual(await attemptsOf(one!.job), [1, 2, 3]);
  await worker.stop();
});

test('an expired message of a job that is due is refused and replaced, and the job is done without another attempt', async () => {
  const [one] = await due('expired');
  const release = await holdReconciler();
  const expired = { ...claimsOf(one!.ref), exp: Math.floor(Date.now() / 1000) - 1 };
  await send('hash', { job_id: one!.job, ref: await sign(expired, await keyOf(db)) });
  const worker = await fixture.startWorker(createNullEngine(), { store });
  await published(one!.job);
  await release();
  assert.deepEqual(await refusals(one!.job), ['REFERENCE_EXPIRED']);
  assert.deepEqual(await attemptsOf(one!.job), [1, 2, 3]);
  await worker.stop();
});

test('messages of a release that signed none, or with anything else in them, are dropped without a word in the log of the job', async () => {
  const [one] = await due('before references');
  const release = await holdReconciler();
  fetched.length = 0;
  await send('hash', { job_id: one!.job });
  await send('hash', { job_id: one!.job, ref: null });
  await send('hash', { job_id: one!.job, ref: one!.ref, locator: 'file:/etc/passwd' });
  const worker = await fixture.startWorker(createNullEngine(), { store });
  await emptied();
  assert.deepEqual(fetched, []);
  await release();
  await published(one!.job);
  assert.deepEqual(await fixture.events(one!.job), [
    'accepted',
    'admitted',
    'verified',
    'started',
    'extracted',
    'published',
  ]);
  await worker.stop();
});
