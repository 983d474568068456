import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DocketError } from '../../src/errors.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import type { ObjectReference, ObjectStore, Removal } from '../../src/store/store.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import { spawnWorker } from './spawn-worker.ts';

const fixture = await createFixture();
const { db } = fixture;
const config = { ...fixture.config, store: `file:${fixture.config.dataDir}/objects` };
let count = 0;

/** A published document and the place of its bytes; no worker is left behind. */
async function published(): Promise<{ job: string; object: ObjectReference }> {
  const object = await fixture.put(`scan ${String((count += 1))}`);
  const worker = await fixture.startWorker(createNullEngine());
  const [job] = await fixture.deliver(object);
  await eventually('it is published', async () => (await fixture.states([job!]))[0] === 'published');
  await worker.stop();
  return { job: job!, object };
}

const order = (act: string, job: string, object: ObjectReference) =>
  db.query('insert into docket.object_orders (job_id, locator, version, act) values ($1, $2, $3, $4)', [
    job,
    object.locator,
    object.version,
    act,
  ]);

async function ordersOf(job: string): Promise<Record<string, unknown>[]> {
  const { rows } = await db.query<Record<string, unknown>>(
    'select act, tries, last_code, retain_until from docket.object_orders where job_id = $1',
    [job],
  );
  return rows;
}

/** Until no order of the document waits any more; what was put off is due at once. */
const done = (job: string) =>
  eventually('its orders are carried out', async () => {
    await db.query(
      `update docket.object_orders set due_at = '2026-01-01' where due_at < now() + interval '90 s'`,
    );
    return (await ordersOf(job)).length === 0;
  });

const isThere = async (object: ObjectReference) =>
  fixture.store.stat(object, { signal: AbortSignal.timeout(5_000) }).then(
    () => true,
    (error: unknown) => {
      assert.equal((error as DocketError).code, 'OBJECT_NOT_FOUND');
      return false;
    },
  );

test('a worker removes what is ordered to be removed, and says so in the log', async () => {
  const { job, object } = await published();
  const kept = await published();
  await order('remove', job, object);
  const worker = await fixture.startWorker(createNullEngine());
  await done(job);
  assert.equal(await isThere(object), false);
  assert.equal(await isThere(kept.object), true);
  assert.equal((await fixture.events(job)).at(-1), 'object_removed');
  // An object that is not there any more counts as removed.
  await order('remove', job, object);
  await done(job);
  await worker.stop();
});

test('while the store is away, and while it refuses, the order waits; the object goes in the end', async () => {
  const { job, object } = await published();
  await order('remove', job, object);
  const answers: (() => Promise<Removal>)[] = [
    () => Promise.reject(new DocketError('STORE_UNAVAILABLE', 'away')),
    () => Promise.reject(new Error('not foreseen')),
    () => Promise.resolve({ isRemoved: false, retainedUntil: new Date(Date.now() - 1_000), isHeld: false }),
    () => fixture.store.remove(object, { signal: AbortSignal.timeout(5_000) }),
  ];
  const store: ObjectStore = { ...fixture.store, remove: () => answers.shift()!() };
  const worker = await fixture.startWorker(createNullEngine(), { store });
  await done(job);
  await worker.stop();
  assert.equal(await isThere(object), false);
  assert.deepEqual((await fixture.events(job)).slice(-2), ['object_kept', 'object_removed']);
});

test('a worker whose store can protect has what is verified retained as long as the database says', async () => {
  const asked: { object: string; retainUntil: Date | null; isHeld: boolean }[] = [];
  const store: ObjectStore = {
    ...fixture.store,
    canProtect: () => Promise.resolve(true),
    protect({ locator }, { retainUntil, isHeld }) {
      asked.push({ object: locator, retainUntil, isHeld });
      return Promise.resolve('protected');
    },
  };
  const worker = await fixture.startWorker(createNullEngine(), { store });
  const object = await fixture.put('to be retained');
  const [job] = await fixture.deliver(object);
  await eventually('it is protected', () => asked.length > 0);
  await done(job!);
  await worker.stop();
  const { rows } = await db.query<{ until: string; received: string }>(
    `select docket.retain_until($1)::text as until, received_at::text as received from docket.evidence where job_id = $1`,
    [job],
  );
  assert.deepEqual(asked, [{ object: object.locator, retainUntil: new Date(rows[0]!.until), isHeld: false }]);
  // Ten years, unless a rule says otherwise.
  assert.equal(asked[0]!.retainUntil.getUTCFullYear() - new Date(rows[0]!.received).getUTCFullYear(), 10);
});

test('a file store, which cannot protect, is not asked to, and what was ordered all the same is dropped', async () => {
  const { job, object } = await published();
  assert.deepEqual(await ordersOf(job), []);
  await order('protect', job, object);
  const worker = await fixture.startWorker(createNullEngine());
  await done(job);
  await worker.stop();
  assert.equal(await isThere(object), true);
});

test('a worker that is told to stop hands back what it was doing, and it counts as no try', async () => {
  const { job, object } = await published();
  await order('remove', job, object);
  let isAsked = false;
  const store: ObjectStore = {
    ...fixture.store,
    remove: (_reference, { signal }) =>
      new Promise((_resolve, reject) => {
        isAsked = true;
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      }),
  };
  const worker = await fixture.startWorker(createNullEngine(), { store });
  await eventually('it is being removed', () => isAsked);
  await worker.stop();
  assert.deepEqual(await ordersOf(job), [
    { act: 'remove', tries: 0, last_code: 'WORKER_STOPPING', retain_until: null },
  ]);
  await db.query('delete from docket.object_orders');
});

for (const { pattern, when } of [
  { pattern: 'claim_object_orders', when: 'after' },
  { pattern: 'record_object_orders', when: 'before' },
  { pattern: 'record_object_orders', when: 'after' },
] as const) {
  test(`a worker that dies ${when} ${pattern} leaves its order to the next one, and one event`, async () => {
    const { job, object } = await published();
    await order('remove', job, object);
    const doomed = spawnWorker({ config, recogniseMs: 0, dieAt: { pattern, when, call: 1 } });
    assert.equal((await doomed.exited).signal, 'SIGKILL');
    await db.query(`update docket.object_orders set due_at = '2026-01-01'`);
    const worker = await fixture.startWorker(createNullEngine());
    await done(job);
    await worker.stop();
    assert.equal(await isThere(object), false);
    assert.equal((await fixture.events(job)).filter((event) => event === 'object_removed').length, 1);
  });
}
