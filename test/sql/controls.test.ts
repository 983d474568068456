import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, createSender } from '../support/logins.ts';
import { refused } from './refused.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
await createSender(database, 'carrier-b');
const olga = await createLogin(database, 'docket_operator');
const auditor = await createLogin(database, 'docket_auditor');
const reason = 'a burst of scans';

/** What a control is set to now, as an operator sees it. */
async function state(control: string, target: string): Promise<Record<string, unknown> | undefined> {
  const { rows } = await olga.pool.query<Record<string, unknown>>(
    'select value, changed_by, reason, expires_at, change_id from docket.control_states where control = $1 and target = $2',
    [control, target],
  );
  return rows[0];
}
const value = async (control: string, target: string) => (await state(control, target))?.['value'] ?? null;

/** The newest event of the log itself. */
async function newestLogEvent(): Promise<Record<string, unknown>> {
  const { rows } = await stage.db.query<Record<string, unknown>>(
    `select event, actor, reason, detail::json as detail from docket_audit.events
     where job_id = '00000000-0000-0000-0000-000000000000' order by seq desc limit 1`,
  );
  return rows[0]!;
}

const pool = (perProcess: number | null, fleet: number | null, more: { for?: string } = {}) =>
  commands.setPoolLimit(olga.pool, { pool: 'ocr', perProcess, fleet, reason, ...more });
const limit = (target: string, given: unknown, more: { for?: string } = {}) =>
  commands.setFlowLimit(olga.pool, {
    target,
    limit: given === null ? null : JSON.stringify(given),
    reason,
    ...more,
  });
const undo = (change: string) => commands.undoChange(olga.pool, { change, reason: 'as before' });

test('each change answers what was there before, and is a row, an event and the present value at once', async () => {
  const [first] = await pool(3, null);
  assert.deepEqual([first!.previous, first!.expires_at], [null, null]);
  const [second] = await pool(2, 5, { for: '2 hours' });
  assert.deepEqual(second!.previous, { per_process: 3, fleet: null });
  assert.deepEqual(await state('pool', 'ocr'), {
    value: { per_process: 2, fleet: 5 },
    changed_by: olga.name,
    reason,
    expires_at: second!.expires_at,
    change_id: second!.change_id,
  });
  const { rows } = await stage.db.query(
    `select per_process, fleet from docket.pool_limits where pool = 'ocr'`,
  );
  assert.deepEqual(rows, [{ per_process: 2, fleet: 5 }]);
  const event = await newestLogEvent();
  const { until, ...detail } = event['detail'] as Record<string, unknown>;
  assert.deepEqual(
    [event['event'], event['actor'], event['reason']],
    ['controls_changed', olga.name, reason],
  );
  assert.deepEqual(detail, {
    change: Number(second!.change_id),
    control: 'pool',
    target: 'ocr',
    from: { per_process: 3, fleet: null },
    to: { per_process: 2, fleet: 5 },
    undoes: null,
  });
  const inTwoHours = Date.parse(until as string) - Date.now();
  assert.ok(inTwoHours > 7_100_000 && inTwoHours <= 7_200_000, String(inTwoHours));
  const { rows: log } = await auditor.pool.query<{ failed_count: string }>(
    'select * from docket.verify_log()',
  );
  assert.deepEqual(
    log.filter((row) => Number(row.failed_count) !== 0),
    [],
  );
});

test('changes that were made one upon the other are undone from the newest down, each once', async () => {
  const [first] = await pool(7, null);
  const [second] = await pool(8, null);
  await refused('ZD075', undo(first!.change_id));
  const [undone] = await undo(second!.change_id);
  assert.deepEqual(undone, {
    change_id: String(Number(second!.change_id) + 1),
    control: 'pool',
    target: 'ocr',
    previous: { per_process: 8, fleet: null },
    restored: { per_process: 7, fleet: null },
  });
  assert.equal((await state('pool', 'ocr'))?.['change_id'], first!.change_id);
  await refused('ZD075', undo(second!.change_id));
  await refused('ZD075', undo(undone.change_id));
  await undo(first!.change_id);
  assert.deepEqual(await value('pool', 'ocr'), { per_process: 2, fleet: 5 });
  await refused('ZD077', undo('999999'));
});

test('what was changed again is not undone, also where the same was set for another reason', async () => {
  const [first] = await commands.closeAdmission(olga.pool, { target: 'all', reason, for: '1 hour' });
  const [second] = await commands.closeAdmission(olga.pool, { target: 'all', reason: 'an inspection' });
  await refused('ZD075', undo(first!.change_id));
  assert.equal((await state('admission', 'all'))?.['reason'], 'an inspection');
  await undo(second!.change_id);
  await undo(first!.change_id);
  assert.equal(await value('admission', 'all'), null);
});

test('a flow limit keeps what is not named, loses what is null, and a rate without a burst lets a minute in at once', async () => {
  const target = 'source:carrier-a';
  await limit(target, { documents_per_minute: 2.5 });
  assert.deepEqual(await value('limit', target), {
    documents_per_minute: 2.5,
    documents_burst: 3,
    on_excess: 'defer',
  });
  await limit(target, { max_waiting: 100, on_excess: 'reject' });
  const [third] = await limit(target, { documents_per_minute: null, pages_per_minute: 60, pages_burst: 500 });
  assert.deepEqual(third!.previous, {
    documents_per_minute: 2.5,
    documents_burst: 3,
    max_waiting: 100,
    on_excess: 'reject',
  });
  assert.deepEqual(await value('limit', target), {
    pages_per_minute: 60,
    pages_burst: 500,
    max_waiting: 100,
    on_excess: 'reject',
  });
  await limit(target, null);
  assert.equal(await value('limit', target), null);
  const { rows } = await stage.db.query('select from docket.flow_limits');
  assert.equal(rows.length, 0);
  await limit('all', { max_in_flight_mb: 4096 });
  assert.deepEqual(await value('limit', 'all'), { max_in_flight_mb: 4096, on_excess: 'defer' });
});

test('a raised rate does not leave a source waiting for what the old rate owed', async () => {
  const target = 'source:carrier-b';
  await limit(target, { documents_per_minute: 1, documents_burst: 600 });
  await stage.db.query(
    `insert into docket.flow_states (target, documents_tat) values ($1, clock_timestamp() + interval '10 hours')
     on conflict (target) do update set documents_tat = excluded.documents_tat`,
    [target],
  );
  await limit(target, { documents_per_minute: 1200 });
  await commands.admit(stage.worker, { window: 1 });
  const { rows } = await stage.db.query<{ seconds: number }>(
    `select extract(epoch from documents_tat - clock_timestamp())::float as seconds from docket.flow_states where target = $1`,
    [target],
  );
  // 600 documents at 20 a second
  assert.ok(rows[0]!.seconds > 25 && rows[0]!.seconds <= 30, String(rows[0]!.seconds));
  await limit(target, null);
});

test('admission is closed to all, to a source or to a kind, by a gate that says who, why and since when', async () => {
  for (const target of ['all', 'source:carrier-a', 'kind:delivery_receipt'])
    await commands.closeAdmission(olga.pool, { target, reason });
  await commands.closeAdmission(olga.pool, { target: 'all', reason: 'for longer', for: '1 day' });
  const { rows } = await stage.db.query(
    'select target, source_id, document_kind, closed_by, reason from docket.admission_gates order by target',
  );
  assert.deepEqual(rows, [
    { target: 'all', source_id: null, document_kind: null, closed_by: olga.name, reason: 'for longer' },
    {
      target: 'kind:delivery_receipt',
      source_id: null,
      document_kind: 'delivery_receipt',
      closed_by: olga.name,
      reason,
    },
    { target: 'source:carrier-a', source_id: 'carrier-a', document_kind: null, closed_by: olga.name, reason },
  ]);
  const [opened] = await commands.openAdmission(olga.pool, { target: 'all', reason: 'over' });
  assert.equal(opened!.previous, 'closed');
  assert.equal(await value('admission', 'all'), null);
  await undo(opened!.change_id);
  assert.equal(await value('admission', 'all'), 'closed');
  for (const target of ['all', 'source:carrier-a', 'kind:delivery_receipt'])
    await commands.openAdmission(olga.pool, { target, reason: 'over' });
  assert.equal((await stage.db.query('select from docket.admission_gates')).rowCount, 0);
});

test('a window of a lane is set and taken away again', async () => {
  const set = (window: number | null) =>
    commands.setLaneWindow(olga.pool, { lane: 'standard', window, reason });
  await set(50);
  const [second] = await set(null);
  assert.deepEqual([second!.previous, await value('window', 'standard')], [50, null]);
});

test('a rule takes the waiting documents to its lane, undone it takes them back, and those moved by hand stay', async () => {
  const rule = { source: 'carrier-a', kind: null, lane: 'signature_critical', reason };
  const waiting = await stage.deliver();
  const moved = await stage.deliver();
  await commands.prioritise(olga.pool, { jobs: [moved], lane: 'signature_critical', reason });
  const [change] = await commands.setLaneRule(olga.pool, rule);
  assert.equal((await stage.job(waiting))['lane'], 'signature_critical');
  assert.equal(await value('lane_rule', 'source:carrier-a'), 'signature_critical');
  const ofKind = { ...rule, kind: 'unknown', lane: 'standard' };
  const [narrower] = await commands.setLaneRule(olga.pool, ofKind);
  assert.equal((await stage.job(waiting))['lane'], null, 'the rule of source and kind goes first');
  assert.equal(await value('lane_rule', 'source:carrier-a kind:unknown'), 'standard');
  await undo(narrower!.change_id);
  assert.equal((await stage.job(waiting))['lane'], 'signature_critical');
  await undo(change!.change_id);
  assert.equal((await stage.job(waiting))['lane'], null);
  assert.equal((await stage.job(moved))['lane'], 'signature_critical');
  assert.equal((await stage.db.query('select from docket.lane_rules')).rowCount, 0);
});

test('what there is not is refused by name, and so is what cannot be set', async () => {
  await refused(
    'ZD073',
    commands.setPoolLimit(olga.pool, { pool: 'gpu', perProcess: 1, fleet: null, reason }),
  );
  for (const target of ['source:nobody', 'kind:unknown', 'all ', 'source:', 'source:carrier-a kind:unknown'])
    await refused('ZD073', limit(target, { max_waiting: 1 }));
  for (const target of ['kind:postcard', 'source:carrier-a kind:unknown', 'every', ''])
    await refused('ZD073', commands.closeAdmission(olga.pool, { target, reason }));
  await refused('ZD073', commands.setLaneWindow(olga.pool, { lane: 'fast', window: 1, reason }));
  const rule = { source: 'carrier-a', kind: null, lane: 'standard', reason };
  for (const wrong of [{ source: 'nobody' }, { source: null as unknown as string }, { kind: 'postcard' }])
    await refused('ZD073', commands.setLaneRule(olga.pool, { ...rule, ...wrong }));
  await refused('ZD073', commands.setLaneRule(olga.pool, { ...rule, lane: 'fast' }));
  for (const wrong of [
    [-1, null],
    [1001, null],
    [null, 100_001],
  ] as const)
    await refused('ZD074', pool(wrong[0], wrong[1]));
  await refused('ZD074', commands.setLaneWindow(olga.pool, { lane: 'standard', window: 0, reason }));
  for (const wrong of [
    { documents_per_minute: 0 },
    { documents_per_minute: 'NaN' },
    { documents_per_minute: 1e300 },
    { documents_per_minute: 1, documents_burst: 1.5 },
    { max_waiting: 0 },
    { max_in_flight_mb: 3e9 },
    { on_excess: 'explode' },
    { speed: 1 },
    [1],
    7,
  ])
    await refused('ZD074', limit('all', wrong));
  for (const max of ['1e1000000', '1e9999', '"\\u0000"']) {
    const text = `{"max_waiting": ${max}}`;
    const error = await refused(
      'ZD074',
      commands.setFlowLimit(olga.pool, { target: 'all', limit: text, reason }),
    );
    assert.ok(error.message.length < 300, error.message);
  }
  for (const span of ['0', '-1 hours', '1 mon -31 days', '2 years', 'infinity'])
    if (span !== 'infinity') await refused('ZD074', pool(1, null, { for: span }));
  await refused('ZD021', commands.closeAdmission(olga.pool, { target: 'all', reason: ' ' }));
  assert.deepEqual(await value('pool', 'ocr'), { per_process: 2, fleet: 5 });
});

test('operators alone change anything, and no row of what was changed is ever altered', async () => {
  const close = { target: 'all', reason };
  for (const who of [stage.worker, auditor.pool, stage.sender.pool])
    await refused('42501', commands.closeAdmission(who, close));
  for (const act of [
    `update docket.changes set reason = 'x'`,
    'delete from docket.changes',
    'truncate docket.changes cascade',
  ])
    await refused('ZD001', stage.db.query(act));
});

test('two who change the same thing at once are taken one after the other', async () => {
  const changes = await Promise.all([1, 2, 3, 4].map((n) => pool(n, n)));
  const rows = changes.map(([row]) => row!).sort((a, b) => Number(a.change_id) - Number(b.change_id));
  const { rows: set } = await stage.db.query<{ new_value: unknown }>(
    'select new_value from docket.changes where change_id = any ($1) order by change_id',
    [rows.map((row) => row.change_id)],
  );
  assert.deepEqual(
    rows.slice(1).map((row) => row.previous),
    set.slice(0, -1).map((row) => row.new_value),
  );
});
