import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaseFindings, workersAtWork } from '../../../src/cli/doctor/leases.ts';
import { typedQueries } from '../../../src/cli/typed-queries.ts';
import { createTestDatabase } from '../../support/database.ts';
import { openLease, Stage } from '../../sql/stage.ts';

const db = await createTestDatabase();
const owner = db.pool();
const reader = typedQueries(owner);
const seen = () => workersAtWork(reader);
const told = async () => leaseFindings(await seen()).map(({ severity, what }) => [severity, what]);

test('without a worker that is a warning, and with one there is none', async () => {
  assert.deepEqual(await told(), [['warning', 'no worker is at work']]);
  const { lease } = await openLease(db);
  assert.deepEqual([(await seen()).living, await told()], [1, []]);
  await owner.query(
    `update docket.leases set closed_at = clock_timestamp(), close_reason = 'closed' where lease_id = $1`,
    [lease],
  );
});

test('a lease that ran out and that nobody ended is told, and the work that it left', async () => {
  const stage = await Stage.open(db);
  const job = await stage.verified();
  await stage.begin(job, 'ocr');
  assert.deepEqual(await told(), []);
  await owner.query(`update docket.leases set deadline = '2026-05-03 10:00:00+00' where lease_id = $1`, [
    stage.lease,
  ]);
  assert.deepEqual(await told(), [
    ['warning', 'no worker is at work'],
    [
      'warning',
      `the lease of process ${process.pid} on test ran out at 2026-05-03T10:00:00Z, and nobody has ended it`,
    ],
    ['warning', '1 attempt is open of processes that are gone'],
  ]);
});

test('a worker that does not say its version and began before the last migration may be of another one', async () => {
  const { lease } = await openLease(db);
  await owner.query(`update docket.leases set opened_at = '2026-05-03 09:00:00+00' where lease_id = $1`, [
    lease,
  ]);
  const { older } = await seen();
  assert.deepEqual(older, [{ host: 'test', pid: process.pid, since: '2026-05-03T09:00:00Z' }]);
  const finding = leaseFindings(await seen()).find(({ what }) => what.includes('was migrated at'));
  assert.equal(finding!.remedy, 'on test: stop it by SIGTERM, and start this version');
});

test('a host whose workers lose their leases again and again is told, and one that lost two is not', async () => {
  const lose = (host: string, times: number) =>
    owner.query(
      `insert into docket.leases (lock_key, backend_pid, host, pid, pools, deadline, closed_at, close_reason)
       select hashtext($1) + n, 1, $1, n, '{io}', clock_timestamp(), clock_timestamp(), 'lost'
       from generate_series(1, $2::integer) as n`,
      [host, times],
    );
  await lose('long-ago', 3);
  await owner.query(
    `update docket.leases set closed_at = clock_timestamp() - interval '2 days' where host = 'long-ago'`,
  );
  await lose('twice', 2);
  await lose('troubled', 3);
  const losses = (await told()).filter(([, what]) => what!.includes('lost their lease'));
  assert.deepEqual(losses, [['warning', 'workers on troubled lost their lease 3 times within a day']]);
});

test('a worker of another version is told, whenever it began; one of this version is not', async () => {
  const { lease } = await openLease(db);
  const is = (version: string) =>
    owner.query(
      `update docket.leases set version = $2, opened_at = '2026-05-03 09:00:00+00' where lease_id = $1`,
      [lease, version],
    );
  const foreign = async () => {
    const workers = await workersAtWork(reader, '2.0.0');
    return leaseFindings(workers, '2.0.0').filter(({ what }) => what.includes('runs Docket'));
  };
  await is('2.0.0');
  assert.deepEqual(await foreign(), []);
  const seenAsOld = (await seen()).older.length;
  await is('1.9.0');
  const findings = await foreign();
  assert.deepEqual(
    findings.map(({ severity, what }) => [severity, what]),
    [['warning', `process ${process.pid} on test runs Docket 1.9.0, and this is 2.0.0`]],
  );
  assert.match(findings[0]!.remedy!, /^on test: stop it by SIGTERM/);
  assert.equal((await seen()).older.length, seenAsOld);
});

test('a clock of a worker host that is ahead by more than a second, or behind by more than an answer takes, is told', async () => {
  const { lease } = await openLease(db);
  const shows = (ahead: string) =>
    owner.query(
      `update docket.leases set host = 'adrift', host_at = renewed_at + $2::interval where lease_id = $1`,
      [lease, ahead],
    );
  const clock = async () =>
    (await told())
      .filter(([, what]) => what!.includes('the clock of adrift'))
      .map(([severity, what]) => [severity, what!.split(' is about ')[1]]);
  await shows('0.9 seconds');
  assert.deepEqual(await clock(), []);
  await shows('1.5 seconds');
  assert.deepEqual(await clock(), [['warning', '1.5 s ahead of that of the database']]);
  await shows('-5.9 seconds');
  assert.deepEqual(await clock(), []);
  await shows('-6.5 seconds');
  assert.deepEqual(await clock(), [['warning', '6.5 s behind that of the database']]);
  await shows('2 minutes');
  assert.deepEqual(await clock(), [['problem', '120.0 s ahead of that of the database']]);
});
