import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../../src/config.ts';
import * as commands from '../../../src/db/commands.ts';
import { statusFacts } from '../../../src/cli/status/status-facts.ts';
import { statusTroubles } from '../../../src/cli/status/status-troubles.ts';
import { topFacts } from '../../../src/cli/top/top-facts.ts';
import { typedQueries } from '../../../src/cli/typed-queries.ts';
import { Stage } from '../../sql/stage.ts';
import { createTestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createLogin } from '../../support/logins.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const reader = typedQueries((await createLogin(database, 'docket_auditor')).pool);
const config = loadConfig({});
const facts = () => statusFacts(reader, config);
const troubles = async () => statusTroubles(await facts());
const subjects = async () => (await troubles()).map(({ severity, subject }) => [severity, subject]);

/** As whoever owns the server can: without guards. */
async function forge(table: string, statement: string): Promise<void> {
  await stage.db.query(`alter table ${table} disable trigger user`);
  await stage.db.query(statement);
  await stage.db.query(`alter table ${table} enable trigger user`);
}

// On a slow machine it would run out.
await forge(
  'docket.leases',
  `update docket.leases set deadline = clock_timestamp() + interval '1 day', version = '9.8.7'`,
);

await stage.db.query(`update docket.watch_rounds set watched_at = 'infinity'`);

test('of an empty database with a worker nothing is wrong, and all states are counted', async () => {
  const seen = await facts();
  assert.deepEqual(statusTroubles(seen), []);
  assert.deepEqual(
    seen.states.map(({ state, documents }) => [state, documents]),
    [
      ['accepted', 0],
      ['running', 0],
      ['validated', 0],
      ['published', 0],
      ['quarantined', 0],
    ],
  );
  assert.deepEqual(
    seen.workers.map(({ host, pid, version }) => [host, pid, version]),
    [['test', process.pid, '9.8.7']],
  );
  assert.deepEqual(
    [seen.ocr.active, seen.ocr.known_good, seen.ocr.canary, seen.ocr.rollback],
    [1, 1, null, null],
  );
});

test('a document that is older than a level allows is told with the oldest, of its lane alone', async () => {
  const job = await stage.deliver();
  const level = (warning: number, breach: number, lane: string) =>
    stage.db.query(
      `insert into docket.slos (slo, measure, lane, warning, breach, meaning) values ($1, 'waiting', $2, $3, $4, 'a test')
       on conflict do nothing`,
      [`test_${lane}`, lane, warning, breach],
    );
  // What measures may be held to is known to the table; undeferred is what waits and is not held.
  await assert.rejects(level(1, 2, 'standard'), { code: '23514' });
  await stage.db.query('delete from docket.slos');
  await stage.db.query(
    `insert into docket.slos (slo, measure, lane, warning, breach, meaning)
     values ('test_late', 'undeferred', 'standard', 1e-9, 1e9, 'a test'), ('test_other', 'undeferred', 'signature_critical', 1e-9, 1e9, 'a test')`,
  );
  const [late, ...others] = await troubles();
  assert.deepEqual(
    [late!.severity, late!.subject, late!.next_command, others],
    ['warning', 'slo:test_late', `docket why ${job}`, []],
  );
  await stage.db.query(`update docket.slos set breach = 1e-9 where slo = 'test_late'`);
  assert.deepEqual(await subjects(), [['alert', 'slo:test_late']]);
  await stage.db.query('delete from docket.slos');
  assert.deepEqual(await subjects(), []);
});

test('workers of which none looks whether something is wrong are told, once they had a minute for it', async () => {
  await stage.db.query(
    `update docket.watch_rounds set watched_at = clock_timestamp() - interval '61 seconds'`,
  );
  await stage.db.query('update docket.leases set opened_at = clock_timestamp()');
  assert.deepEqual(await subjects(), []);
  await stage.db.query(`update docket.leases set opened_at = clock_timestamp() - interval '1 hour'`);
  assert.deepEqual(await subjects(), [['warning', 'duty:watch']]);
  await stage.db.query(`update docket.watch_rounds set watched_at = 'infinity'`);
  assert.deepEqual(await subjects(), []);
});

test('open alerts and a rollback are told, closed and ended ones are not', async () => {
  await stage.db.query(
    `insert into docket.alerts (subject, severity, fact, next_command, closed_at)
     values ('slo:gone', 'breach', 'Over.', 'none', clock_timestamp()), ('slo:here', 'breach', 'Open.', 'docket why', null)`,
  );
  const { rows } = await stage.db.query<{ version: number }>(
    `insert into docket.ocr_versions (reason, added_by) values ('a test', 'test') returning ocr_version as version`,
  );
  const version = rows[0]!.version;
  await stage.db.query(
    `insert into docket.rollbacks (from_version, to_version, reason, ordered_by, drain_until, step, failures, failed_at, failure)
     values ($1, 1, 'a test', 'test', clock_timestamp(), 'drain', 1, clock_timestamp(), 'It broke.')`,
    [version],
  );
  const told = await troubles();
  assert.deepEqual(
    told.map(({ severity, subject }) => [severity, subject]),
    [
      ['alert', 'rollback:1'],
      ['alert', 'slo:here'],
    ],
  );
  assert.match(
    told[0]!.what,
    new RegExp(`configuration ${version} is rolled back to 1; .* step drain.* It broke\\.`),
  );
  await stage.db.query(`update docket.rollbacks set step = 'done', ended_at = clock_timestamp()`);
  await stage.db.query('update docket.alerts set closed_at = clock_timestamp() where closed_at is null');
  assert.deepEqual(await subjects(), []);
});

test('what was quarantined within the hour is a notice, whatever became of it, and events that nobody counts are told', async () => {
  const job = await stage.verified();
  await stage.fail(await stage.begin(job, 'ocr'), 'TRUNCATED');
  assert.equal((await stage.job(job))['state'], 'quarantined');
  // Not before every transaction of the server has ended that began earlier.
  await eventually('everything is sealed', async () => {
    await commands.sealEvents(stage.worker, { limit: 1000 });
    return (await facts()).sealing.unsealed_events === 0;
  });
  await forge('docket_audit.events', `update docket_audit.events set at = at - interval '2 minutes'`);
  assert.deepEqual(await subjects(), [['warning', 'duty:ages']]);
  await commands.measureAges(stage.worker, { limit: 1000 });
  const told = await troubles();
  assert.deepEqual(
    told.map(({ severity, what }) => [severity, what]),
    [['notice', '1 document was quarantined within the last hour: 1 for TRUNCATED.']],
  );
  assert.deepEqual((await facts()).quarantined, [{ code: 'TRUNCATED', documents: 1, last_hour: 1 }]);
});

test('a change that should have ended by itself and did not is told', async () => {
  const operator = await createLogin(database, 'docket_operator');
  await commands.closeAdmission(operator.pool, {
    target: 'kind:unknown',
    reason: 'a test',
    for: '1 hour',
  });
  assert.deepEqual((await subjects())[0], ['warning', 'admission:kind:unknown']);
  await forge(
    'docket.changes',
    `update docket.changes set changed_at = changed_at - interval '1 hour', expires_at = changed_at - interval '2 minutes'`,
  );
  assert.ok(
    (await subjects()).some(([severity, subject]) => severity === 'warning' && subject === 'duty:expire'),
  );
  await forge('docket.admission_gates', 'delete from docket.admission_gates');
});

test('one look of docket top has the stages by lane, source and kind, and what is under way with its worker', async () => {
  const job = await stage.verified({ documentKind: 'customs_declaration' });
  await stage.begin(job, 'ocr');
  await stage.deliver();
  const seen = await topFacts(reader);
  assert.deepEqual(
    seen.running.map(({ job_id, task, document_kind, source_id, lane, host, pid }) => [
      ...[job_id, task, document_kind, source_id, lane],
      ...[host, pid],
    ]),
    [[job, 'ocr', 'customs_declaration', 'carrier-a', 'standard', 'test', process.pid]],
  );
  assert.equal(seen.running_count, 1);
  assert.deepEqual(
    seen.groups.lane.map(({ name }) => name),
    ['signature_critical', 'standard'],
  );
  const running = (by: 'lane' | 'source' | 'kind', name: string) =>
    seen.groups[by].find((group) => group.name === name)?.stages.running?.documents;
  assert.deepEqual(
    [running('lane', 'standard'), running('source', 'carrier-a'), running('kind', 'customs_declaration')],
    [1, 1, 1],
  );
  assert.equal(seen.groups.lane.find(({ name }) => name === 'standard')!.stages.waiting?.documents, 1);
});

test('without a worker that is the first thing told', async () => {
  await forge(
    'docket.leases',
    `update docket.leases set closed_at = clock_timestamp(), close_reason = 'closed'`,
  );
  assert.deepEqual((await subjects())[0], ['alert', 'workers']);
  assert.deepEqual((await topFacts(reader)).troubles[0]!.subject, 'workers');
});
