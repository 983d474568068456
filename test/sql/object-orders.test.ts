import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { refused } from './refused.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
let count = 0;

/** A document of which an object is to be removed; returns the job and the order. */
async function removal(): Promise<{ job: string; order: string; locator: string }> {
  const locator = `memory:orders/${String((count += 1))}`;
  const job = await stage.published({ locator });
  const { rows } = await stage.db.query<{ object_order_id: string }>(
    `insert into docket.object_orders (job_id, locator, act) values ($1, $2, 'remove') returning object_order_id`,
    [job, locator],
  );
  return { job, order: rows[0]!.object_order_id, locator };
}

async function protection(): Promise<{ job: string; order: string }> {
  const job = await stage.published({ locator: `memory:orders/${String((count += 1))}` });
  await stage.db.query('select docket.order_protection(array[$1::uuid])', [job]);
  const { rows } = await stage.db.query<{ object_order_id: string }>(
    'select object_order_id from docket.object_orders where job_id = $1',
    [job],
  );
  return { job, order: rows[0]!.object_order_id };
}

const claim = (limit = 100) => commands.claimObjectOrders(stage.worker, { limit });

async function record(order: string, end: { code?: string; until?: string } = {}): Promise<string> {
  const [row] = await commands.recordObjectOrders(stage.worker, {
    orders: [order],
    codes: [end.code ?? null],
    keptUntil: [end.until ?? null],
  });
  return row!.outcome;
}

/** Lets everything be due now. */
const hasten = () => stage.db.query(`update docket.object_orders set due_at = '2026-01-01'`);
const clear = () => stage.db.query('delete from docket.object_orders');

async function row(order: string): Promise<Record<string, unknown>> {
  const { rows } = await stage.db.query<Record<string, unknown>>(
    `select tries, last_code, retain_until, extract(epoch from due_at - clock_timestamp())::float8 as wait
     from docket.object_orders where object_order_id = $1`,
    [order],
  );
  return rows[0] ?? {};
}

test('an object that was removed leaves an event and no order', async () => {
  const { job, order, locator } = await removal();
  const [claimed] = await claim();
  assert.deepEqual(
    [claimed!.object_order_id, claimed!.act, claimed!.locator, claimed!.version, claimed!.tries],
    [order, 'remove', locator, null, 1],
  );
  assert.equal(await record(order), 'removed');
  const { event, detail, from_state, to_state } = await stage.lastEvent(job);
  assert.deepEqual(
    [event, detail, from_state, to_state],
    ['object_removed', { locator }, 'published', 'published'],
  );
  assert.equal(await record(order), 'stale');
  assert.deepEqual(await claim(), []);
});

test('a place is left alone while a delivery that names it is not noticed, and once another document was seen there', async () => {
  const { job, order, locator } = await removal();
  const { sha256 } = (await stage.job(job)) as { sha256: Buffer };
  await stage.deliver({ sha256, locator });
  assert.deepEqual(await claim(), []);
  await stage.admit();
  await stage.deliver({ locator });
  assert.equal((await claim()).length, 1, 'a delivery alone proves nothing');
  await hasten();
  await stage.published({ locator });
  assert.deepEqual([await claim(), await row(order)], [[], {}]);
});

test('what a store keeps until a date is told once, and due again at that date', async () => {
  const { job, order, locator } = await removal();
  for (let time = 0; time < 3; time += 1) {
    await hasten();
    assert.equal((await claim()).length, 1);
    assert.equal(await record(order, { until: '2036-05-01 12:00:00+00' }), 'kept');
  }
  const events = (await stage.events(job)).filter((event) => event.startsWith('object_'));
  assert.deepEqual(events, ['object_kept']);
  assert.deepEqual((await stage.lastEvent(job)).detail, { locator, until: '2036-05-01T12:00:00Z' });
  const { wait, retain_until } = await row(order);
  const untilThen = (Date.parse('2036-05-01T12:00:00Z') - Date.now()) / 1000;
  assert.ok(Math.abs(Number(wait) - untilThen) < 120, String(wait));
  assert.equal(retain_until, '2036-05-01 12:00:00+00');
  // A later date is news, an earlier one is not.
  for (const until of ['2035-01-01 00:00:00+00', '2037-01-01 00:00:00+00']) {
    await hasten();
    await claim();
    await record(order, { until });
  }
  assert.equal((await stage.events(job)).filter((event) => event === 'object_kept').length, 2);
  await hasten();
  await claim();
  assert.equal(await record(order), 'removed');
});

test('a store that does not say until when it refuses is asked again every day', async () => {
  const { job, order } = await removal();
  for (let time = 0; time < 2; time += 1) {
    await hasten();
    await claim();
    assert.equal(await record(order, { until: 'infinity' }), 'kept');
    const { wait } = await row(order);
    assert.ok(Number(wait) > 0.79 * 86_400 && Number(wait) < 1.21 * 86_400, String(wait));
  }
  const { event, detail } = await stage.lastEvent(job);
  assert.deepEqual([event, detail['until']], ['object_kept', undefined]);
  assert.equal((await stage.events(job)).filter((name) => name === 'object_kept').length, 1);
  await clear();
});

test('a failure that passes is tried again, later each time and an hour later at most, without an end', async () => {
  const { job, order } = await removal();
  const before = await stage.events(job);
  for (let time = 1; time <= 15; time += 1) {
    await hasten();
    assert.equal((await claim())[0]!.tries, time);
    assert.equal(await record(order, { code: 'STORE_UNAVAILABLE' }), 'retry');
    const { wait, last_code } = await row(order);
    const expected = Math.min(2 ** time, 3600);
    assert.ok(
      Number(wait) > expected * 0.8 - 1 && Number(wait) < expected * 1.2,
      `${String(time)}: ${String(wait)}`,
    );
    assert.equal(last_code, 'STORE_UNAVAILABLE');
  }
  assert.deepEqual(await stage.events(job), before);
  await clear();
});

test('what only a person can mend is told once, with its code, and tried again every day', async () => {
  const { job, order } = await removal();
  for (let time = 0; time < 2; time += 1) {
    await hasten();
    await claim();
    assert.equal(await record(order, { code: 'STORE_DENIED' }), 'kept');
  }
  const { event, code } = await stage.lastEvent(job);
  assert.deepEqual([event, code], ['object_kept', 'STORE_DENIED']);
  assert.equal((await stage.events(job)).filter((name) => name === 'object_kept').length, 1);
  assert.ok(Number((await row(order))['wait']) > 0.7 * 86_400);
  await clear();
});

test('what a stopping worker hands back is due at once and counts as no try', async () => {
  const { order } = await removal();
  for (let time = 0; time < 3; time += 1) {
    assert.equal((await claim())[0]!.tries, 1);
    assert.equal(await record(order, { code: 'WORKER_STOPPING' }), 'retry');
  }
  await clear();
});

test('what a dead worker took is handed out again after two minutes; two workers never get the same', async () => {
  const { order } = await removal();
  const client = await stage.worker.connect();
  try {
    await client.query('begin');
    assert.equal((await commands.claimObjectOrders(client, { limit: 10 })).length, 1);
    assert.deepEqual(await claim(), []);
    await client.query('rollback');
  } finally {
    client.release();
  }
  assert.equal((await claim()).length, 1);
  assert.deepEqual(await claim(), []);
  assert.equal(Math.round(Number((await row(order))['wait']) / 10), 12);
  await hasten();
  assert.equal((await claim())[0]!.tries, 2);
  await clear();
});

test('a protected object is to be like the database says when it is handed out', async () => {
  const { job, order } = await protection();
  const { rows } = await stage.db.query<{ until: string }>('select docket.retain_until($1)::text as until', [
    job,
  ]);
  const [first] = await claim();
  assert.deepEqual([first!.retain_until, first!.is_held], [rows[0]!.until, false]);
  assert.ok(Date.parse(first!.retain_until!) > Date.now());
  // A hold that is placed meanwhile is not lost: the order is due again as soon as the one under way has ended.
  await stage.db.query(
    `insert into docket.legal_holds (job_id, matter, reason, placed_by) values ($1, 'claim 7', 'sued', 'somebody')`,
    [job],
  );
  await stage.db.query('select docket.order_protection(array[$1::uuid])', [job]);
  assert.deepEqual(await claim(), [], 'two acts on one object at a time');
  assert.equal(await record(order), 'again');
  const [second] = await claim();
  assert.deepEqual([second!.object_order_id, second!.is_held, second!.tries], [order, true, 1]);
  assert.equal(await record(order), 'protected');
  assert.deepEqual(await row(order), {});
  assert.ok(!(await stage.events(job)).some((event) => event.startsWith('object_')));
});

test('an order that failed need not wait when it is ordered anew', async () => {
  const { job, order } = await protection();
  for (let time = 0; time < 8; time += 1) {
    await hasten();
    await claim();
    await record(order, { code: 'STORE_UNAVAILABLE' });
  }
  assert.deepEqual(await claim(), []);
  await stage.db.query('select docket.order_protection(array[$1::uuid])', [job]);
  assert.equal((await claim())[0]!.tries, 1);
  await clear();
});

test('an object is not removed while its protection is still being brought up to date, unless that fails', async () => {
  const { job, order } = await protection();
  const { rows } = await stage.db.query<{ object_order_id: string }>(
    `insert into docket.object_orders (job_id, locator, act)
     select job_id, locator, 'remove' from docket.object_orders where object_order_id = $1 returning object_order_id`,
    [order],
  );
  const claimed = async () => (await claim()).map((one) => one.act);
  assert.deepEqual(await claimed(), ['protect']);
  for (let time = 1; time < 5; time += 1) {
    assert.equal(await record(order, { code: 'STORE_UNAVAILABLE' }), 'retry');
    await hasten();
    assert.deepEqual(await claimed(), ['protect']);
  }
  await record(order, { code: 'STORE_UNAVAILABLE' });
  assert.deepEqual(await claimed(), ['remove']);
  assert.equal(await record(rows[0]!.object_order_id), 'removed');
  assert.equal((await stage.lastEvent(job))['event'], 'object_removed');
  await clear();
});

test('several objects of one document, ended at the same time, leave an event each', async () => {
  const { job, order } = await removal();
  const { rows } = await stage.db.query<{ object_order_id: string }>(
    `insert into docket.object_orders (job_id, locator, version, act)
     values ($1, 'memory:other', 'v1', 'remove'), ($1, 'memory:other', 'v2', 'remove') returning object_order_id`,
    [job],
  );
  const orders = [order, ...rows.map((one) => one.object_order_id)];
  await claim();
  const ends = await commands.recordObjectOrders(stage.worker, {
    orders,
    codes: [null, null, 'STORE_TIMEOUT'],
    keptUntil: [null, '2040-01-01 00:00:00+00', null],
  });
  assert.deepEqual(
    ends.map((end) => end.outcome),
    ['removed', 'kept', 'retry'],
  );
  assert.deepEqual((await stage.events(job)).slice(-2), ['object_removed', 'object_kept']);
  const chains = await stage.db.query<{ failed_count: string }>(
    'select failed_count from docket.verify_log()',
  );
  assert.ok(chains.rows.every((one) => Number(one.failed_count) === 0));
  await clear();
});

test('a code that nobody knows is refused, and changes nothing', async () => {
  const { order } = await removal();
  await claim();
  await refused('ZD022', record(order, { code: 'NO_SUCH_CODE' }));
  assert.equal(await record(order), 'removed');
});

test('what is verified is protected where a living worker said that its store can, and nowhere else', async () => {
  const ordered = async (job: string) =>
    (
      await stage.db.query('select from docket.object_orders where job_id = $1 and act = $2', [
        job,
        'protect',
      ])
    ).rowCount;
  const before = await stage.verified({ locator: 'memory:before' });
  assert.equal(await ordered(before), 0);
  await commands.declareObjectLock(stage.worker, { leaseId: stage.lease });
  assert.equal(await ordered(before), 1, 'what was verified since the worker began');
  const after = await stage.verified({ locator: 'memory:after' });
  assert.equal(await ordered(after), 1);
  await commands.closeLease(stage.worker, { lease: stage.lease });
  await commands.declareObjectLock(stage.worker, { leaseId: stage.lease });
  const { rows } = await stage.db.query<{ locks: boolean }>('select docket.store_locks_objects() as locks');
  assert.equal(rows[0]!.locks, false);
  await clear();
});
