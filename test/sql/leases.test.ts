import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openLease, Stage } from './stage.ts';

const database = await createTestDatabase();
const elsewhere = await createTestDatabase();
const stage = await Stage.open(database);
const LOCK_CLASS = 1145655883;

async function leaseRow(lease: string): Promise<Record<string, unknown>> {
  const { rows } = await stage.db.query<Record<string, unknown>>(
    'select * from docket.leases where lease_id = $1',
    [lease],
  );
  return rows[0]!;
}

/** A lease with an attempt at recognition under way, and the queue row that woke it locked by the lease's pool. */
async function busyLease(pool: string) {
  const job = await stage.verified();
  const opened = await openLease(database);
  await commands.bindPools(stage.worker, { lease: opened.lease, poolIds: [pool] });
  const [open] = await stage.tryToBegin(job, 'ocr', opened.lease);
  await lockQueueRow(job, pool);
  return { ...opened, job, open: open! };
}

async function lockQueueRow(job: string, pool: string, age = '0 s'): Promise<void> {
  await stage.db.query(
    `update graphile_worker._private_jobs q set locked_by = $2, locked_at = now() - $3::interval, attempts = 1
     where payload ->> 'job_id' = $1 and id = (select max(id) from graphile_worker._private_jobs where payload ->> 'job_id' = $1)`,
    [job, pool, age],
  );
}

async function lockedBy(pool: string): Promise<number> {
  const { rows } = await stage.db.query('select from graphile_worker._private_jobs where locked_by = $1', [
    pool,
  ]);
  return rows.length;
}

/** Ends a connection and waits until the server has let go of what it held. */
async function kill(client: pg.Client, lockKey: number): Promise<void> {
  await client.end();
  await eventually('the lock of the dead worker is free', async () => {
    const { rows } = await stage.db.query(
      `select from pg_locks where locktype = 'advisory' and objid = $1::bigint::oid`,
      [BigInt.asUintN(32, BigInt(lockKey))],
    );
    return rows.length === 0;
  });
}

test('one call of reap ends the lease of a process that is gone, and its work is due again', async () => {
  const { lease, lockKey, client, job, open } = await busyLease('pool-dead');
  assert.deepEqual(await commands.reap(stage.worker), []);
  await kill(client, lockKey);

  assert.deepEqual(await commands.reap(stage.worker), [
    { lease_id: lease, job_id: job, task: 'ocr', outcome: 'retry' },
  ]);
  assert.equal((await leaseRow(lease))['close_reason'], 'lost');
  const row = await stage.job(job);
  assert.deepEqual(
    [row['state'], row['next_task'], row['token'], row['due_at']],
    ['accepted', 'ocr', null, row['accepted_at']],
  );
  assert.equal(await lockedBy('pool-dead'), 0);
  assert.equal((await stage.record(open)).outcome, 'stale');
  assert.equal((await stage.begin(job, 'ocr')).attempt, open.attempt + 1);
  assert.deepEqual(await commands.reap(stage.worker), []);
});

test('a lease whose deadline passed is lost although its process holds the lock, and cannot be renewed', async () => {
  const { lease, client, job, open } = await busyLease('pool-frozen');
  await stage.db.query(`update docket.leases set deadline = now() - interval '1 ms' where lease_id = $1`, [
    lease,
  ]);
  const reaped = await commands.reap(stage.worker);
  assert.deepEqual(
    reaped.map((row) => row.job_id),
    [job],
  );
  assert.deepEqual(await commands.renewLease(client, { lease }), [{ renewed: false }]);
  assert.equal((await stage.record(open)).outcome, 'stale');
  assert.equal(await lockedBy('pool-frozen'), 0);
  await assert.rejects(stage.tryToBegin(job, 'ocr', lease), { code: 'ZD040' });
  await client.end();
});

test('a process that reaps on the session of its own lease does not take itself for dead', async () => {
  const { lease, client, job } = await busyLease('pool-own');
  assert.deepEqual(await commands.reap(client), []);
  assert.equal((await leaseRow(lease))['closed_at'], null);
  assert.notEqual((await stage.job(job))['token'], null);
  await commands.closeLease(client, { lease });
});

test('renewing moves the deadline to ten seconds from now by the clock of the server', async () => {
  const { lease, client } = await openLease(database);
  await commands.renewLease(client, { lease });
  const { rows } = await stage.db.query<{ left: number }>(
    'select extract(epoch from deadline - clock_timestamp())::float8 as left from docket.leases where lease_id = $1',
    [lease],
  );
  assert.ok(rows[0]!.left > 8 && rows[0]!.left <= 10);
  await commands.closeLease(client, { lease });
});

test('a lease keeps the version that its worker states, and what the clock of its host shows at each renewal', async () => {
  const client = await database.pool('docket_worker').connect();
  const opened = '2026-03-01 09:30:00.5+00';
  const [row] = await commands.openLease(client, {
    host: 'somewhere',
    pid: 7,
    pools: ['io'],
    version: '3.1.4',
    hostAt: opened,
  });
  const lease = row!.lease_id;
  const told = async () => {
    const { version, host_at } = await leaseRow(lease);
    return [version, host_at];
  };
  assert.deepEqual(await told(), ['3.1.4', opened]);
  const renewed = '2026-03-01 09:30:02.5+00';
  assert.deepEqual(await commands.renewLease(client, { lease, hostAt: renewed }), [{ renewed: true }]);
  assert.deepEqual(await told(), ['3.1.4', renewed]);
  await commands.closeLease(client, { lease });
  client.release();
});

test('a worker of before, which states neither, has its lease all the same', async () => {
  const client = await database.pool('docket_worker').connect();
  const { rows } = await client.query<{ lease_id: string }>(
    `select * from docket.open_lease(p_host => 'old', p_pid => 8, p_pools => '{io}')`,
  );
  const lease = rows[0]!.lease_id;
  const { rows: answer } = await client.query('select * from docket.renew_lease(p_lease => $1)', [lease]);
  assert.deepEqual(answer, [{ renewed: true }]);
  const { version, host_at } = await leaseRow(lease);
  assert.deepEqual([version, host_at], [null, null]);
  await commands.closeLease(client, { lease });
  client.release();
});

test('an attempt that overran its deadline by more than five seconds is lost though its worker lives', async () => {
  const { lease, job, open } = await busyLease('pool-slow');
  const overrun = (by: string) =>
    stage.db.query(
      `update docket.attempts set deadline = now() - $2::interval where job_id = $1 and ended_at is null`,
      [job, by],
    );
  await overrun('1 s');
  assert.deepEqual(await commands.reap(stage.worker), []);
  await overrun('6 s');
  assert.deepEqual(await commands.reap(stage.worker), [
    { lease_id: lease, job_id: job, task: 'ocr', outcome: 'retry' },
  ]);
  assert.equal((await leaseRow(lease))['closed_at'], null);
  assert.equal((await stage.record(open)).outcome, 'stale');
  await commands.closeLease(stage.worker, { lease });
});

test('closing a lease gives back its work and its locks at once', async () => {
  const { lease, job } = await busyLease('pool-closed');
  await commands.closeLease(stage.worker, { lease });
  assert.equal((await leaseRow(lease))['close_reason'], 'closed');
  assert.equal((await stage.events(job)).at(-1), 'ocr_lost');
  assert.equal(await lockedBy('pool-closed'), 0);
  await commands.closeLease(stage.worker, { lease });
});

test('several processes that reap at the same time lose nothing and settle nothing twice', async () => {
  const { lockKey, client, job } = await busyLease('pool-race');
  await kill(client, lockKey);
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => commands.reap(stage.worker)));
  assert.equal(answers.flat().length, 1);
  assert.equal((await stage.events(job)).filter((event) => event === 'ocr_lost').length, 1);
});

test('a due job whose queue row is gone is woken again, once', async () => {
  const job = await stage.verified();
  await stage.db.query(`delete from graphile_worker._private_jobs where payload ->> 'job_id' = $1`, [job]);
  const reconciled = async () => (await commands.reconcile(stage.worker)).filter((row) => row.job_id === job);
  assert.deepEqual(await reconciled(), [], 'too young to be missed');
  await stage.db.query(`update docket.jobs set state_at = state_at - interval '3 s' where job_id = $1`, [
    job,
  ]);
  assert.deepEqual(await reconciled(), [{ job_id: job, task: 'ocr' }]);
  assert.deepEqual(await reconciled(), []);
  const { rows } = await stage.db.query(
    `select t.identifier, q.payload ->> 'job_id' as job_id, q.payload ->> 'ref' is not null as has_ref
     from graphile_worker._private_jobs q
     join graphile_worker._private_tasks t on t.id = q.task_id where q.payload ->> 'job_id' = $1`,
    [job],
  );
  assert.deepEqual(rows, [{ identifier: 'ocr', job_id: job, has_ref: true }]);
});

test('a job that is being worked on is not woken', async () => {
  const { job } = await stage.running().then((open) => ({ job: open.job_id }));
  await stage.db.query(`delete from graphile_worker._private_jobs where payload ->> 'job_id' = $1`, [job]);
  await stage.db.query(`update docket.jobs set state_at = state_at - interval '3 s' where job_id = $1`, [
    job,
  ]);
  assert.deepEqual(
    (await commands.reconcile(stage.worker)).filter((row) => row.job_id === job),
    [],
  );
});

test('rows locked for long by a pool of no lease are freed, those of a living lease and fresh ones are not', async () => {
  const [orphan, fresh, owned] = [await stage.verified(), await stage.verified(), await stage.verified()];
  await commands.bindPools(stage.worker, { lease: stage.lease, poolIds: ['pool-living'] });
  await lockQueueRow(orphan, 'pool-unknown', '4 s');
  await lockQueueRow(fresh, 'pool-fresh', '1 s');
  await lockQueueRow(owned, 'pool-living', '1 hour');
  await commands.reconcile(stage.worker);
  assert.deepEqual(await Promise.all(['pool-unknown', 'pool-fresh', 'pool-living'].map(lockedBy)), [0, 1, 1]);
});

test('a lock of the same key in another database of the server does not keep a dead lease alive', async () => {
  const { lease, lockKey, client, job } = await busyLease('pool-here');
  await kill(client, lockKey);
  const there = await elsewhere.pool().connect();
  try {
    await there.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, lockKey]);
    assert.deepEqual(
      (await commands.reap(stage.worker)).map((row) => [row.lease_id, row.job_id]),
      [[lease, job]],
    );
  } finally {
    there.release(true);
  }
});

test('a sender can take no lease lock, and whoever can only delays the end of a dead lease', async () => {
  const { lockKey: lastKey } = await openLease(database);
  await assert.rejects(
    stage.sender.pool.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, lastKey + 1]),
    { code: '42501' },
  );
  const squatter = await stage.db.connect();
  try {
    await squatter.query('select pg_advisory_lock($1, k) from generate_series($2::int, $2::int + 100) k', [
      LOCK_CLASS,
      Math.min(lastKey + 1, 2_147_483_000),
    ]);
    const next = await openLease(database);
    assert.ok(Math.abs(next.lockKey - lastKey) > 100);

    const { lease, lockKey, client, job } = await busyLease('pool-squatted');
    await kill(client, lockKey);
    await squatter.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, lockKey]);
    assert.deepEqual(await commands.reap(stage.worker), []);
    await stage.db.query(`update docket.leases set deadline = now() where lease_id = $1`, [lease]);
    assert.deepEqual(
      (await commands.reap(stage.worker)).map((row) => row.job_id),
      [job],
    );
  } finally {
    squatter.release(true);
  }
});
