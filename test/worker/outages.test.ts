import assert from 'node:assert/strict';
import { test, after } from 'node:test';
import { DocketError } from '../../src/errors.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { createS3Fixture } from '../store/s3-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { objectServer, skipWithoutServer } from '../support/object-server.ts';
import { createFixture, type Fixture } from './fixture.ts';
import { spawnWorker } from './spawn-worker.ts';

const LONG = { withinMs: 60_000 };

/** Waits until a dependency is down, and documents that need it wait without an attempt. */
async function isDown({ db }: Fixture, dependency: string): Promise<void> {
  await eventually(
    `the ${dependency} is down and was tried again`,
    async () => {
      const { rows } = await db.query('select from docket.breakers where dependency = $1 and probes > 0', [
        dependency,
      ]);
      return rows.length === 1;
    },
    LONG,
  );
}

/** Waits until all jobs are published, and sees that none was ever quarantined, or lost a try to the outage. */
async function nobodyWasBlamed(fixture: Fixture, jobs: string[], code: RegExp): Promise<void> {
  const { db } = fixture;
  await eventually(
    'all are published',
    async () => (await fixture.states(jobs)).every((state) => state === 'published'),
    LONG,
  );
  const { rows: events } = await db.query<{ event: string; count: string }>(
    `select event, count(*) from docket_audit.events where event in ('quarantined', 'published') group by 1`,
  );
  assert.deepEqual(events, [{ event: 'published', count: String(jobs.length) }]);
  const { rows: outages } = await db.query<{ code: string; ended: boolean }>(
    `select code, ended_at is not null as ended from docket.outages`,
  );
  assert.equal(outages.length, 1);
  assert.match(outages[0]!.code, code);
  assert.equal(outages[0]!.ended, true);
  const { rows: attempts } = await db.query<{ failed: number; excused: number; blamed: number }>(
    `select count(*)::int as failed,
       count(*) filter (where exists (
         select from docket.outages o where a.ended_at >= o.began_at and a.started_at <= o.ended_at
       ))::int as excused,
       (select count(*)::int from docket_audit.events e
        where e.event in ('hash_retry', 'ocr_retry') and (e.detail::json ->> 'tries')::int > 2) as blamed
     from docket.attempts a where a.code is not null`,
  );
  const [{ failed, excused, blamed }] = attempts as [{ failed: number; excused: number; blamed: number }];
  assert.ok(failed >= 4, `attempts that failed: ${failed}`);
  assert.equal(excused, failed, 'every failure fell into the outage');
  assert.equal(blamed, 0);
  assert.equal((await db.query('select from docket.breakers')).rowCount, 0);
}

const server = objectServer();
test(
  'the store is cut off for a while: nobody is quarantined, and all goes on when it is back',
  { skip: server === undefined && skipWithoutServer },
  async () => {
    const fixture = await createFixture();
    const s3 = await createS3Fixture(server!);
    const proxy = await startFaultProxy(server!);
    after(() => proxy.stop());
    const store = s3.store(s3.bucket, {
      endpoint: proxy.endpoint,
      patience: { idleMs: 10_000, tries: 1, delayMs: 1 },
    });
    const objects = [];
    for (let n = 0; n < 20; n += 1) {
      const bytes = (async function* () {
        yield await Promise.resolve(
          Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(`document ${n}`)]),
        );
      })();
      objects.push(await store.put(bytes));
    }
    proxy.plan(() => 'reset');
    const jobs = await fixture.deliver(...objects);
    await fixture.startWorker(createNullEngine(), { store });
    await isDown(fixture, 'store');
    const calls = proxy.calls.length;
    assert.ok(calls < 20 * 2, `a store that is down is asked ${calls} times for 20 documents`);
    proxy.plan(() => undefined);
    await nobodyWasBlamed(fixture, jobs, /^STORE_(UNAVAILABLE|TIMEOUT)$/);
  },
);

test('an engine that cannot be started keeps documents waiting, hashed, until it can', async () => {
  const fixture = await createFixture();
  const engine = createNullEngine();
  let isBroken = true;
  const unlessBroken = <Value>(work: () => Promise<Value>): Promise<Value> =>
    isBroken
      ? Promise.reject(new DocketError('OCR_UNAVAILABLE', 'the recogniser cannot be started'))
      : work();
  // nor can it say what it is: the worker is at work all the same
  await fixture.startWorker({
    ...engine,
    configuration: () => unlessBroken(() => engine.configuration()),
    recognise: (file, options) => unlessBroken(() => engine.recognise(file, options)),
  });
  const jobs = await fixture.deliver(
    ...(await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((text) => fixture.put(text)))),
  );
  await isDown(fixture, 'engine');
  await eventually('all are hashed', async () => {
    const { rows } = await fixture.db.query('select from docket.evidence');
    return rows.length === jobs.length;
  });
  isBroken = false;
  await nobodyWasBlamed(fixture, jobs, /^OCR_UNAVAILABLE$/);
});

test('a file that kills its worker twice is a crash loop; what others sent is published', async () => {
  const fixture = await createFixture();
  const { db } = fixture;
  const config = { ...fixture.config, ocrSlots: 1, store: `file:${fixture.config.dataDir}/objects` };
  const [poison] = (await fixture.deliver(await fixture.put('poison'))) as [string];
  const spawn = () => spawnWorker({ config, recogniseMs: 50, poison: 'poison' });
  for (const outcome of ['ocr_lost', 'quarantined']) {
    const victim = spawn();
    assert.deepEqual(await victim.exited, { code: null, signal: 'SIGKILL' });
    // whoever looks after the dead: here nobody else is at work, so that it is seen what each death does
    await eventually('it was noticed', async () => {
      await db.query('select docket.reap()');
      return (await fixture.events(poison)).at(-1) === outcome;
    });
  }
  const { rows } = await db.query(`select state, last_code, first_code from docket.jobs where job_id = $1`, [
    poison,
  ]);
  assert.deepEqual(rows, [{ state: 'quarantined', last_code: 'CRASH_LOOP', first_code: 'WORKER_KILLED' }]);
  const others = await fixture.deliver(
    ...(await Promise.all(['a', 'b', 'c'].map((text) => fixture.put(text)))),
  );
  const healthy = spawn();
  await eventually(
    'the others are published',
    async () => (await fixture.states(others)).every((state) => state === 'published'),
    LONG,
  );
  healthy.process.kill('SIGTERM');
  assert.deepEqual(await healthy.exited, { code: 0, signal: null });
});
