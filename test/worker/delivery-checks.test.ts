import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import type { ObjectStore, StoredObject } from '../../src/store/store.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import { spawnWorker } from './spawn-worker.ts';

const fixture = await createFixture();
const deliverToo = await fixture.addSource('carrier-b');
const config = { ...fixture.config, store: `file:${fixture.config.dataDir}/objects` };

/** Brings an object of the first source to publication, and leaves no worker behind. */
async function published(object: StoredObject): Promise<string> {
  const worker = await fixture.startWorker(createNullEngine());
  const [job] = await fixture.deliver(object);
  await eventually('it is published', async () => (await fixture.states([job!]))[0] === 'published');
  await worker.stop();
  return job!;
}

async function seenBy(job: string): Promise<string[]> {
  const { rows } = await fixture.db.query<{ source_id: string }>(
    'select source_id from docket.document_sources where job_id = $1 order by ordinal',
    [job],
  );
  return rows.map((row) => row.source_id);
}

/** The events about further deliveries, each with its code. */
async function checks(job: string): Promise<string[]> {
  const { rows } = await fixture.db.query<{ text: string }>(
    `select concat_ws(' ', event, code) as text from docket_audit.events
     where job_id = $1 and event like 'delivery\\_%' order by seq`,
    [job],
  );
  return rows.map((row) => row.text);
}

/** Until the check of a job has ended; what was put off meanwhile is due at once. */
async function ended(job: string): Promise<void> {
  await eventually('the check ended', async () => {
    await fixture.db.query(`update docket.delivery_checks set due_at = '2026-01-01' where job_id = $1`, [
      job,
    ]);
    return (await checks(job)).length > 0;
  });
}

/** The store, which notes what is read of it, and may do something else instead. */
function watched(instead?: ObjectStore['get']): ObjectStore & { read: string[] } {
  const read: string[] = [];
  return {
    ...fixture.store,
    read,
    get(reference, options) {
      read.push(reference.locator);
      return (instead ?? fixture.store.get.bind(fixture.store))(reference, options);
    },
  };
}

test('two sources that deliver the same bytes, each at a place of its own, both see the document', async () => {
  const [own, copy] = [await fixture.put('both', 'carrier-a'), await fixture.put('both', 'carrier-b')];
  assert.notEqual(own.locator, copy.locator);
  const store = watched();
  const worker = await fixture.startWorker(createNullEngine(), { store });
  const [job] = await fixture.deliver(own);
  assert.deepEqual(await deliverToo(copy), [job]);
  await eventually('both see it', async () => (await seenBy(job!)).length === 2);
  await eventually('it is published', async () => (await fixture.states([job!]))[0] === 'published');
  await worker.stop();
  assert.ok(store.read.includes(copy.locator));
  assert.deepEqual(await checks(job!), ['delivery_verified']);
  const { rows } = await fixture.db.query('select from docket.results where job_id = $1', [job]);
  assert.equal(rows.length, 1);
});

test('a source that knows no more than hash, size and place of what another delivered sees nothing, and nothing is read', async () => {
  const own = await fixture.put('known by name alone', 'carrier-a');
  const job = await published(own);
  const store = watched();
  const worker = await fixture.startWorker(createNullEngine(), { store });
  await deliverToo(own);
  await eventually('it is refused', async () => (await checks(job)).length > 0);
  await worker.stop();
  assert.deepEqual(await checks(job), ['delivery_refused LOCATOR_TAKEN']);
  assert.deepEqual(await seenBy(job), ['carrier-a']);
  assert.deepEqual(store.read, []);
});

test('a source that names the place of another before that is verified sees nothing either', async () => {
  const own = await fixture.put('known early', 'carrier-a');
  const [job] = await fixture.deliver(own);
  await deliverToo(own);
  await fixture.deliver(await fixture.put('known early', 'carrier-a/again'));
  const worker = await fixture.startWorker(createNullEngine());
  await eventually('it is refused', async () => (await checks(job!)).length > 0);
  await worker.stop();
  assert.deepEqual(await seenBy(job!), ['carrier-a']);
  assert.deepEqual(await checks(job!), ['delivery_refused LOCATOR_TAKEN']);
});

test('a source whose object is missing or holds other bytes sees nothing; the missing one is looked for three times', async () => {
  const own = await fixture.put('mine', 'carrier-a');
  const forged = await fixture.put('else', 'carrier-b');
  const job = await published(own);
  const store = watched();
  const worker = await fixture.startWorker(createNullEngine(), { store });
  await deliverToo({ ...own, locator: forged.locator });
  await ended(job);
  assert.deepEqual(await checks(job), ['delivery_refused HASH_MISMATCH']);
  await deliverToo({ ...own, locator: 'file:carrier-b/missing' });
  await eventually('it is refused', async () => {
    await fixture.db.query(
      `update docket.delivery_checks set due_at = '2026-01-01' where due_at < now() + interval '1 minute'`,
    );
    return (await checks(job)).length === 2;
  });
  await worker.stop();
  assert.deepEqual((await checks(job))[1], 'delivery_refused OBJECT_NOT_FOUND');
  assert.equal(store.read.filter((locator) => locator === 'file:carrier-b/missing').length, 3);
  assert.deepEqual(await seenBy(job), ['carrier-a']);
});

test('an object that comes after its delivery is found when it is looked for again', async () => {
  const own = await fixture.put('late', 'carrier-a');
  const job = await published(own);
  let isThere = false;
  const store = watched((reference, options) => {
    const found = isThere || reference.locator === own.locator;
    isThere = true;
    return fixture.store.get(found ? reference : { ...reference, locator: 'file:not/yet' }, options);
  });
  const worker = await fixture.startWorker(createNullEngine(), { store });
  await deliverToo(await fixture.put('late', 'carrier-b'));
  await ended(job);
  await worker.stop();
  assert.deepEqual(await checks(job), ['delivery_verified']);
  assert.equal(store.read.length, 2);
});

const POINTS = [
  { pattern: 'store get', when: 'before' },
  { pattern: 'store get', when: 'after' },
  { pattern: 'record_delivery_checks', when: 'before' },
  { pattern: 'record_delivery_checks', when: 'after' },
] as const;

for (const { pattern, when } of POINTS) {
  test(
    `a worker that dies ${when} ${pattern} of a check lets the source in once, through another worker`,
    { timeout: 20_000 },
    async () => {
      const name = `killed ${when} ${pattern}`;
      const job = await published(await fixture.put(name, 'carrier-a'));
      await deliverToo(await fixture.put(name, 'carrier-b'));
      const victim = spawnWorker({ config, recogniseMs: 0, dieAt: { pattern, call: 1, when } });
      assert.deepEqual(await victim.exited, { code: null, signal: 'SIGKILL' });
      const wasRecorded = pattern === 'record_delivery_checks' && when === 'after';
      assert.deepEqual(await checks(job), wasRecorded ? ['delivery_verified'] : []);

      const rescuer = await fixture.startWorker(createNullEngine());
      await ended(job);
      await rescuer.stop();
      assert.deepEqual(await checks(job), ['delivery_verified']);
      assert.deepEqual(await seenBy(job), ['carrier-a', 'carrier-b']);
    },
  );
}

test('a worker that is told to stop hands a check back at once, and it counts as no try', async () => {
  const job = await published(await fixture.put('handed back', 'carrier-a'));
  const copy = await fixture.put('handed back', 'carrier-b');
  const store = watched(() => new Promise(() => undefined));
  const stopped = await fixture.startWorker(createNullEngine(), { store });
  await deliverToo(copy);
  await eventually('it is being read', () => store.read.includes(copy.locator));
  await stopped.stop();
  const { rows } = await fixture.db.query<{ tries: number; is_due: boolean }>(
    'select tries, due_at <= clock_timestamp() as is_due from docket.delivery_checks where job_id = $1',
    [job],
  );
  assert.deepEqual(rows, [{ tries: 0, is_due: true }]);

  const next = await fixture.startWorker(createNullEngine());
  await eventually('it sees it', async () => (await seenBy(job)).length === 2);
  await next.stop();
});

test('a store that does not answer within the time of the hash task is tried again later', async () => {
  const job = await published(await fixture.put('no answer', 'carrier-a'));
  const copy = await fixture.put('no answer', 'carrier-b');
  await fixture.db.query(`update docket.tasks set deadline = '200 ms' where task = 'hash'`);
  try {
    const store = watched(() => new Promise(() => undefined));
    const worker = await fixture.startWorker(createNullEngine(), { store });
    await deliverToo(copy);
    await eventually('it is put off', async () => {
      const { rows } = await fixture.db.query(
        `select from docket.delivery_checks where job_id = $1 and tries = 1 and due_at > clock_timestamp() + interval '300 ms'`,
        [job],
      );
      return rows.length === 1;
    });
    await worker.stop();
  } finally {
    await fixture.db.query(`update docket.tasks set deadline = '2 min' where task = 'hash'`);
  }
});

test('the chains of events, and who sees what, hold after all of that', async () => {
  const { rows } = await fixture.db.query<{ failed_count: string }>('select * from docket.verify_all()');
  assert.ok(rows.length > 0);
  for (const row of rows) assert.equal(row.failed_count, '0');
});
