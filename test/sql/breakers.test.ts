import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { HOST, OutageStage } from './outage-stage.ts';
import { openLease, Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const { db } = stage;
const outage = new OutageStage(stage);

test('the third failure in a row that says nothing of documents opens the breaker, on the log and as an outage since the first', async () => {
  const before = await outage.logEvents();
  const [one, two, three] = (await outage.admitted(3)) as [string, string, string];
  await stage.fail(await stage.begin(one, 'hash'), 'STORE_UNAVAILABLE');
  const { first_failure_at: since } = (await outage.breaker('store'))!;
  await stage.fail(await stage.begin(two, 'hash'), 'STORE_TIMEOUT');
  assert.deepEqual(
    [(await outage.breaker('store'))?.['state'], (await outage.breaker('store'))?.['failures']],
    ['closed', 2],
  );
  assert.deepEqual(await outage.logEvents(), before);

  await stage.fail(await stage.begin(three, 'hash'), 'STORE_UNAVAILABLE');
  const row = (await outage.breaker('store'))!;
  assert.deepEqual(
    [row['state'], row['failures'], row['last_code'], row['last_message']],
    ['open', 3, 'STORE_UNAVAILABLE', 'seen: STORE_UNAVAILABLE'],
  );
  assert.deepEqual((await outage.logEvents()).slice(before.length), [
    ['outage_began', 'store', HOST, 'STORE_UNAVAILABLE'],
  ]);
  const [newest] = (await outage.outages()).slice(-1);
  assert.deepEqual([newest?.['began_at'], newest?.['ended_at'], newest?.['host']], [since, null, HOST]);
  assert.equal(
    await commands.openOutages(stage.worker, { host: HOST }).then((rows) => rows[0]?.dependency),
    'store',
  );
  assert.deepEqual(await commands.openOutages(stage.worker, { host: 'another' }), []);
});

test('while it is open no attempt is opened; the message is spent, and the job has another for when it is tried again', async () => {
  const [job] = (await outage.admitted(1)) as [string];
  const before = await stage.job(job);
  await db.query(`update docket.breakers set probe_at = clock_timestamp() + interval '4 s'`);
  assert.ok(await outage.isHeldBack((await stage.tryToBegin(job, 'hash'))[0], job));
  const after = await stage.job(job);
  assert.deepEqual(
    [after['attempt'], after['tries'], after['seq']],
    [before['attempt'], before['tries'], before['seq']],
  );
  const seconds = await outage.secondsUntilDue(job);
  assert.ok(seconds > 3.5 && seconds <= 5, `${seconds} s`);
  await assert.rejects(stage.begin(job, 'hash'), /not due/, 'not a moment earlier');
  const { rows } = await db.query<{ messages: string }>(
    `select count(*) as messages from graphile_worker._private_jobs q join docket.jobs j on j.job_id = $1
     where q.payload ->> 'job_id' = $1::text and abs(extract(epoch from q.run_at - j.due_at)) < 0.01`,
    [job],
  );
  assert.equal(rows[0]?.messages, '1');
});

test('what does not need it goes on', async () => {
  await outage.recover();
  const job = await stage.validated();
  await outage.breakDown('hash', 'STORE_UNAVAILABLE');
  assert.equal(await stage.publish(await stage.begin(job, 'publish')), 'published');
  await outage.recover();
});

test('one attempt at a time tries it; in vain it is tried later each time, up to half a minute', async () => {
  const failing = await outage.breakDown('hash', 'STORE_UNAVAILABLE');
  const others = await outage.admitted(2);
  const waits: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    await outage.letProbe();
    const [one, two, three] = [...failing.slice(0, 1), ...others] as [string, string, string];
    const probe = await outage.comeAgain(one, 'hash');
    assert.equal(probe?.code, null);
    assert.deepEqual(
      [(await outage.breaker('store'))?.['state'], (await outage.breaker('store'))?.['probe_job']],
      ['probing', one],
    );
    assert.ok(await outage.isHeldBack(await outage.comeAgain(two, 'hash'), two));
    assert.ok(await outage.isHeldBack(await outage.comeAgain(three, 'hash'), three));
    const answer = await stage.fail(probe, 'STORE_UNAVAILABLE');
    assert.equal(answer.outcome, 'retry');
    const { rows } = await db.query<{ wait: number }>(
      `select extract(epoch from probe_at - clock_timestamp())::float8 as wait from docket.breakers where state = 'open'`,
    );
    waits.push(Math.round(rows[0]!.wait));
  }
  // Two seconds after it opened, doubled with each that tried.
  assert.deepEqual(waits, [4, 8, 16, 30, 30, 30]);
});

test('of several messages that come together one is the try, and the success of it closes the breaker and ends the outage', async () => {
  const jobs = await outage.admitted(4);
  await outage.letProbe();
  const refs = [];
  for (const job of jobs) refs.push(await stage.ref(job, 'hash'));
  const answers = await commands.beginAttempts(stage.worker, {
    jobs,
    refs,
    task: 'hash',
    lease: stage.lease,
  });
  const begun = answers.filter((answer) => answer.code === null);
  assert.deepEqual([answers.length, begun.length], [4, 1]);
  const events = (await outage.logEvents()).length;
  assert.equal(await stage.verify(begun[0]!), 'verified');
  assert.equal(await outage.breaker('store'), undefined);
  assert.deepEqual((await outage.logEvents()).slice(events), [
    ['outage_ended', 'store', HOST, 'STORE_UNAVAILABLE'],
  ]);
  assert.ok((await outage.outages()).every((row) => row['ended_at'] !== null));
  for (const job of jobs) {
    if (job !== begun[0]!.job_id) assert.equal((await outage.comeAgain(job, 'hash'))?.code, null);
  }
});

test('however often a document fails in an outage, it is not quarantined, and no try of it is spent', async () => {
  const [job] = (await outage.breakDown('hash', 'STORE_UNAVAILABLE')) as [string];
  // more than the twelve tries that the code has
  for (let n = 0; n < 14; n += 1) {
    await outage.letProbe();
    const answer = await stage.fail((await outage.comeAgain(job, 'hash'))!, 'STORE_UNAVAILABLE');
    assert.deepEqual([answer.outcome, answer.code], ['retry', 'STORE_UNAVAILABLE']);
    assert.equal((await stage.lastEvent(job)).detail['tries'], 0);
  }
  await outage.recover();
  const answer = await stage.fail((await outage.comeAgain(job, 'hash'))!, 'STORE_UNAVAILABLE');
  assert.equal(answer.outcome, 'retry');
  assert.equal(
    (await stage.lastEvent(job)).detail['tries'],
    1,
    'it counts from one, as if there had been no outage',
  );
  await db.query('delete from docket.breakers');
});

for (const [code, task, dependency] of [
  ['STORE_DENIED', 'hash', 'store'],
  ['KEY_WRONG', 'hash', 'keys'],
  ['OCR_ENGINE_FAILED', 'ocr', 'engine'],
  ['TEMP_STORAGE_FAILED', 'hash', 'disk'],
] as const) {
  test(`${code} of one document is its own fault, and of three documents in a row an outage of the ${dependency}`, async () => {
    await db.query('delete from docket.breakers');
    const one = task === 'hash' ? (await outage.admitted(1))[0]! : await stage.verified();
    let outcome = '';
    for (let n = 0; n < 20 && outcome !== 'quarantined'; n += 1) {
      outcome = (await stage.fail((await outage.comeAgain(one, task))!, code)).outcome!;
      assert.equal((await outage.breaker(dependency))?.['state'], 'closed');
    }
    assert.equal(outcome, 'quarantined');

    await db.query('delete from docket.breakers');
    const jobs = await outage.breakDown(task, code);
    assert.equal((await outage.breaker(dependency))?.['state'], 'open');
    assert.deepEqual([...((await outage.breaker(dependency))?.['jobs'] as string[])].sort(), jobs.sort());
    for (const job of jobs) assert.equal((await stage.job(job))['state'], 'accepted');
    await db.query(
      'update docket.outages set ended_at = clock_timestamp() where ended_at is null; delete from docket.breakers',
    );
  });
}

test('an engine that cannot be started is down whichever document notices, and hashing goes on meanwhile', async () => {
  const job = await stage.verified();
  for (let n = 0; n < 3; n += 1) await stage.fail((await outage.comeAgain(job, 'ocr'))!, 'OCR_UNAVAILABLE');
  assert.equal((await outage.breaker('engine'))?.['state'], 'open');
  const other = await stage.verified();
  assert.ok(await outage.isHeldBack(await outage.comeAgain(other, 'ocr'), other));
  await outage.letProbe();
  const probe = await outage.comeAgain(other, 'ocr');
  // what is wrong with the document shows that the engine read it
  assert.equal((await stage.fail(probe!, 'CORRUPT')).outcome, 'quarantined');
  assert.equal(await outage.breaker('engine'), undefined);
});

test('an attempt that ends without showing anything is followed by another at once; so is one whose worker died', async () => {
  await outage.breakDown('hash', 'STORE_UNAVAILABLE');
  const [one, two, three] = (await outage.admitted(3)) as [string, string, string];
  await outage.letProbe();
  await stage.fail((await outage.comeAgain(one, 'hash'))!, 'INTERNAL_ERROR');
  const { lease } = await openLease(database);
  assert.equal((await outage.comeAgain(two, 'hash', lease))?.code, null);
  assert.ok(await outage.isHeldBack(await outage.comeAgain(three, 'hash'), three));
  await commands.closeLease(stage.worker, { lease });
  assert.equal((await outage.comeAgain(three, 'hash'))?.code, null);
  // one that takes long does not keep others from trying
  assert.ok(await outage.isHeldBack(await outage.comeAgain(two, 'hash'), two));
  await db.query(`update docket.breakers set probe_at = clock_timestamp()`);
  await stage.verify((await outage.comeAgain(two, 'hash'))!);
  assert.equal(await outage.breaker('store'), undefined);
});

test('a success between failures starts the count again, unless it began before them', async () => {
  const [one, two, three, early, late] = (await outage.admitted(5)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const begunBefore = await stage.begin(early, 'hash');
  await stage.fail(await stage.begin(one, 'hash'), 'STORE_UNAVAILABLE');
  await stage.fail(await stage.begin(two, 'hash'), 'STORE_UNAVAILABLE');
  await stage.verify(begunBefore);
  assert.equal((await outage.breaker('store'))?.['failures'], 2);
  await stage.verify(await stage.begin(late, 'hash'));
  assert.equal(await outage.breaker('store'), undefined);
  await stage.fail(await stage.begin(three, 'hash'), 'STORE_UNAVAILABLE');
  assert.deepEqual(
    [(await outage.breaker('store'))?.['state'], (await outage.breaker('store'))?.['failures']],
    ['closed', 1],
  );
  await db.query('delete from docket.breakers');
});

test('what is down on one host stops that host alone; others do its documents', async () => {
  const elsewhere = await openLease(database);
  await db.query(`update docket.leases set host = 'healthy' where lease_id = $1`, [elsewhere.lease]);
  await outage.breakDown('hash', 'STORE_UNAVAILABLE');
  const [job] = (await outage.admitted(1)) as [string];
  await db.query(`update docket.breakers set probe_at = clock_timestamp() + interval '1 hour'`);
  assert.ok(await outage.isHeldBack((await stage.tryToBegin(job, 'hash'))[0], job));
  const seconds = await outage.secondsUntilDue(job);
  assert.ok(seconds > 0.5 && seconds <= 2, `another host can do it soon: ${seconds} s`);
  const open = await outage.comeAgain(job, 'hash', elsewhere.lease);
  assert.equal(await stage.verify(open!), 'verified');
  assert.equal(
    (await outage.breaker('store'))?.['state'],
    'open',
    'which says nothing of the host that is down',
  );
  await commands.closeLease(stage.worker, { lease: elsewhere.lease });
});

test('a host without a worker for a minute is forgotten, and its outage ends', async () => {
  const { lease } = await openLease(database);
  await db.query(`update docket.leases set host = 'gone' where lease_id = $1`, [lease]);
  await db.query(
    `update docket.breakers set host = 'gone'; update docket.outages set host = 'gone' where ended_at is null`,
  );
  await commands.reap(stage.worker);
  assert.equal((await outage.breaker('store', 'gone'))?.['state'], 'open');
  await commands.closeLease(stage.worker, { lease });
  await commands.reap(stage.worker);
  assert.equal(
    (await outage.breaker('store', 'gone'))?.['state'],
    'open',
    'its worker may only be starting again',
  );
  await db.query(`update docket.leases set closed_at = closed_at - interval '61 s' where lease_id = $1`, [
    lease,
  ]);
  await commands.reap(stage.worker);
  assert.equal(await outage.breaker('store', 'gone'), undefined);
  assert.deepEqual((await outage.logEvents()).at(-1), ['outage_ended', 'store', 'gone', 'STORE_UNAVAILABLE']);
});

test('a failure that began in an outage and comes after its end neither counts nor begins another', async () => {
  const jobs = await outage.breakDown('hash', 'STORE_TIMEOUT');
  await outage.letProbe();
  const late = (await outage.admitted(1))[0]!;
  const straggler = (await outage.comeAgain(late, 'hash'))!;
  await db.query(`update docket.breakers set probe_at = clock_timestamp()`);
  await stage.verify((await outage.comeAgain(jobs[0]!, 'hash'))!);
  assert.equal((await stage.fail(straggler, 'STORE_TIMEOUT')).outcome, 'retry');
  assert.equal((await stage.lastEvent(late)).detail['tries'], 0);
  assert.equal(await outage.breaker('store'), undefined);
});

test('the log of the installation still holds together, and says who may not write of outages', async () => {
  const { rows } = await db.query<{ problem: string }>('select * from docket.verify_log()');
  assert.deepEqual(
    rows.map((row) => row.problem).filter((problem) => /nil|00000000/.test(problem)),
    [],
  );
  await assert.rejects(stage.sender.pool.query(`select docket.note_failures('{}')`), /permission denied/);
});
