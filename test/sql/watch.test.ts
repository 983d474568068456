import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { tamper } from './log-forger.ts';
import { sealAll } from './log-stage.ts';
import { refused } from './refused.ts';
import { WatchStage } from './watch-stage.ts';

const database = await createTestDatabase();
const watch = await WatchStage.open(database);
const { stage } = watch;
const { db } = stage;
const olga = await createLogin(database, 'docket_operator');
const auditor = await createLogin(database, 'docket_auditor');

afterEach(async () => {
  await watch.quiet();
  await sealAll(stage.worker);
});

const STANDARD = 'slo:undeferred_standard';

test('a quiet system opens nothing', async () => {
  assert.deepEqual(await watch.rounds(2), []);
});

test('an age that crosses its thresholds opens an alert and worsens it in the same round, and closes it three calm rounds after', async () => {
  const job = await stage.deliver();
  await watch.older(290);
  assert.deepEqual(await watch.round(), []);
  await watch.older(20);
  assert.deepEqual(await watch.round(), [`opened warning ${STANDARD}`]);
  const [warned] = await watch.open();
  assert.equal(warned!.job_id, job);
  assert.ok(warned!.value >= 310 && warned!.value < 600, String(warned!.value));
  assert.equal(warned!.threshold, 300);
  assert.match(
    warned!.fact,
    /^A document of the lane standard has been waiting for admission for 5 min \d+ s, and nothing holds it on purpose; the threshold is 5 min\.$/,
  );
  assert.equal(warned!.next_command, `docket why ${job}`);
  const [reason] = await commands.whyJob(auditor.pool, { jobId: job });
  assert.equal(warned!.why, reason!.fact);

  assert.deepEqual(await watch.round(), [], 'as it was');
  await watch.older(600);
  assert.deepEqual(await watch.round(), [`worsened breach ${STANDARD}`]);
  await watch.older(3000);
  assert.deepEqual(await watch.round(), [`worsened rollback ${STANDARD}`]);

  await stage.admit();
  await tamper(db, (client) => client.query('update docket.jobs set state_at = clock_timestamp()'));
  assert.deepEqual(await watch.rounds(2), []);
  assert.deepEqual(await watch.round(), [`closed rollback ${STANDARD}`]);
  const { rows } = await olga.pool.query<{ change: string; severity: string; fact: string }>(
    'select change, severity, fact from docket.alert_changes where alert_id = $1 order by alert_change_id',
    [warned!.alert_id],
  );
  assert.deepEqual(
    rows.map(({ change, severity }) => `${change} ${severity}`),
    ['opened warning', 'worsened breach', 'worsened rollback', 'closed rollback'],
  );
  assert.match(rows[3]!.fact, /^Over, after \d+ s\. It was: A document of the lane standard /);
  assert.deepEqual(await watch.round(), []);
});

test('what hovers about its threshold neither closes nor opens again; what eases clearly is told as less severe', async () => {
  await stage.deliver();
  await watch.older(1000);
  assert.deepEqual(await watch.round(), [`opened breach ${STANDARD}`]);
  await watch.older(-200); // 800 s: above four fifths of 900
  assert.deepEqual(await watch.rounds(4), []);
  await watch.older(-200); // 600 s: below them, and a warning
  assert.deepEqual(await watch.rounds(2), []);
  await watch.older(400);
  assert.deepEqual(await watch.round(), [], 'calm rounds count on end only');
  await watch.older(-400);
  assert.deepEqual(await watch.rounds(2), []);
  assert.deepEqual(await watch.round(), [`eased warning ${STANDARD}`]);
  const [eased] = await watch.open();
  assert.equal(eased!.threshold, 300);
});

test('of many who watch at once one does a round, and nobody sooner than two seconds after the last', async () => {
  await stage.deliver();
  await watch.older(310);
  await watch.rest();
  const { rows: before } = await db.query<{ rounds: string }>('select rounds from docket.watch_rounds');
  const told = (await Promise.all(Array.from({ length: 8 }, () => commands.watch(stage.worker)))).flat();
  assert.deepEqual(
    told.map(({ subject, change }) => `${change} ${subject}`),
    [`opened ${STANDARD}`],
  );
  assert.deepEqual(await commands.watch(stage.worker), []);
  const { rows: after } = await db.query<{ rounds: string }>('select rounds from docket.watch_rounds');
  assert.equal(Number(after[0]!.rounds), Number(before[0]!.rounds) + 1);
});

test('the round of a worker that is cut off before it commits is done by the next one', async () => {
  await stage.deliver();
  await watch.older(310);
  await watch.rest();
  const victim = new pg.Client({ connectionString: database.url('docket_worker') });
  victim.on('error', () => undefined);
  await victim.connect();
  await victim.query('begin');
  assert.equal((await commands.watch(victim)).length, 1);
  assert.deepEqual(await commands.watch(stage.worker), [], 'somebody is at it');
  const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid');
  await db.query('select pg_terminate_backend($1, 10000)', [rows[0]!.pid]);
  await victim.end().catch(() => undefined);
  assert.deepEqual(await watch.round(), [`opened warning ${STANDARD}`]);
  assert.equal((await watch.open()).length, 1);
});

test('each change is told by the number of its alert to whoever listens', async () => {
  const listener = new pg.Client({ connectionString: database.url(olga.name) });
  await listener.connect();
  database.beforeDrop(() => listener.end());
  const heard: unknown[] = [];
  listener.on('notification', ({ channel, payload }) => heard.push([channel, payload]));
  await listener.query('listen docket_alerts');
  await stage.deliver();
  await watch.older(310);
  await watch.round();
  await watch.round();
  await watch.older(600);
  await watch.round();
  const [alert] = await watch.open();
  await listener.query('select 1');
  assert.deepEqual(heard, [
    ['docket_alerts', alert!.alert_id],
    ['docket_alerts', alert!.alert_id],
  ]);
});

test('what is down on a host is an alert at once, with the remedy, and a breach after two minutes', async () => {
  await db.query(
    `insert into docket.breakers (dependency, host, state, failures, jobs, first_failure_at, last_code, last_message, probe_at)
     values ('store', 'north', 'open', 3, '{}', clock_timestamp(), 'STORE_UNAVAILABLE', 'no route', clock_timestamp());
     insert into docket.outages (dependency, host, began_at, opened_at, code)
     values ('store', 'north', clock_timestamp(), clock_timestamp(), 'STORE_UNAVAILABLE')`,
  );
  assert.deepEqual(await watch.round(), ['opened warning outage:store@north']);
  await db.query(`update docket.outages set opened_at = opened_at - interval '125 seconds'`);
  assert.deepEqual(await watch.round(), ['worsened breach outage:store@north']);
  const [alert] = await watch.open();
  assert.match(
    alert!.fact,
    /^The store has been down on the host north for 2 min \d+ s: STORE_UNAVAILABLE, no route; the threshold is 2 min\.$/,
  );
  assert.match(alert!.why!, /Check the object store/);
  await db.query('delete from docket.breakers; delete from docket.outages');
  assert.deepEqual(await watch.rounds(3), ['closed breach outage:store@north']);
});

test('admission that somebody closed two hours ago and forgot is an alert that names who, why, and how it is opened', async () => {
  await commands.closeAdmission(olga.pool, { target: 'source:carrier-a', reason: 'a flood' });
  assert.deepEqual(await watch.round(), []);
  await db.query(`update docket.admission_gates set closed_at = closed_at - interval '2 hours'`);
  assert.deepEqual(await watch.round(), ['opened warning admission:source:carrier-a']);
  const [alert] = await watch.open();
  assert.equal(
    alert!.fact,
    `Admission has been closed to source:carrier-a for 2 h, by ${olga.name}: a flood; the threshold is 2 h.`,
  );
  assert.equal(alert!.next_command, `docket admission open source:carrier-a --reason '...'`);
});

test('pools in which nobody has had a slot for ten minutes are an alert', async () => {
  for (const pool of ['ocr', 'ocr_reserved'])
    await commands.setPoolLimit(olga.pool, { pool, perProcess: 0, fleet: null, reason: 'an upgrade' });
  assert.deepEqual(await watch.round(), []);
  await tamper(db, (client) =>
    client.query(`update docket.changes set changed_at = changed_at - interval '11 minutes'`),
  );
  assert.deepEqual(await watch.round(), ['opened warning pool:ocr']);
  const [alert] = await watch.open();
  assert.match(alert!.fact, /^No process has a slot in the pool ocr or ocr_reserved, for 11 min/);
  assert.match(alert!.next_command, /^docket undo \d+ --reason/);
  await db.query('update docket.pool_limits set per_process = null');
});

test('a rollback that failed is a breach until it goes on', async () => {
  await db.query(
    `insert into docket.ocr_versions (reason, added_by) values ('a test', 'olga');
     insert into docket.rollbacks (from_version, to_version, reason, ordered_by, drain_until, step, failed_at, failure)
     values (2, 1, 'a test', 'olga', clock_timestamp(), 'restore', clock_timestamp(), 'the engine is down')`,
  );
  const [opened] = await watch.rows();
  assert.match(opened!.subject, /^rollback:\d+$/);
  assert.deepEqual(
    [opened!.severity, opened!.fact, opened!.why],
    ['breach', 'The rollback to OCR configuration 1 failed at the step restore.', 'the engine is down'],
  );
  await db.query('update docket.rollbacks set failed_at = null, failure = null');
  assert.deepEqual(await watch.rounds(3), [`closed breach ${opened!.subject}`]);
  await db.query(`update docket.rollbacks set stepped_at = stepped_at - interval '3 minutes',
    drain_until = drain_until - interval '3 minutes'`);
  const [stalled] = await watch.rows();
  assert.match(stalled!.fact, /has been at the step restore for 3 min/);
});

test('what became of alerts stays as it was told', async () => {
  await stage.deliver();
  await watch.older(310);
  await watch.round();
  await refused('ZD001', db.query(`update docket.alert_changes set fact = 'nothing'`));
  await refused('ZD001', db.query('delete from docket.alert_changes'));
});
