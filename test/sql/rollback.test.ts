import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createLogin } from '../support/logins.ts';
import { refused } from './refused.ts';
import { RollbackStage } from './rollback-stage.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const olga = await createLogin(database, 'docket_operator');
const rollback = new RollbackStage(database, stage, olga.pool);
const auditor = await createLogin(database, 'docket_auditor');
const reason = 'it reads badly';
const start = (drain?: string) =>
  commands.startRollback(olga.pool, { reason, ...(drain !== undefined && { drain }) });

test('there is nothing to go back to where the active configuration is the last known good one', async () => {
  await refused('ZD092', start());
  assert.deepEqual(await rollback.advance(), undefined);
});

test('a rollback closes admission, drains, restores the last known good configuration and opens admission again, each step an event', async () => {
  const { bad, good } = await rollback.activate();
  const [started] = await start();
  const id = started!.rollback_id;
  assert.deepEqual(started, { rollback_id: id, from_version: bad, to_version: good });
  assert.deepEqual(await rollback.choice(), [bad, good, null, null], 'nothing is done yet');

  assert.deepEqual(await rollback.advance(), {
    ...{ rollback_id: id, step: 'drain', is_over: false, waits_for: null, has_failed: false },
  });
  assert.deepEqual(await rollback.choice(), [bad, good, null, good]);
  assert.equal(await rollback.isClosed(), true);
  const [waiting] = await commands.admissionState(olga.pool);
  assert.equal(waiting, undefined, 'nothing waits yet');
  await stage.deliver();
  assert.equal(await stage.admit(), 0);

  await rollback.advanceTo('restore');
  assert.deepEqual(await rollback.choice(), [bad, good, null, good]);
  assert.equal((await rollback.advance())?.step, 'reopen');
  assert.deepEqual(await rollback.choice(), [good, good, null, null]);
  assert.equal(await rollback.isClosed(), true);
  assert.deepEqual(await rollback.advance(), {
    ...{ rollback_id: id, step: 'done', is_over: true, waits_for: null, has_failed: false },
  });
  assert.equal(await rollback.isClosed(), false);
  assert.equal(await stage.admit(), 1);
  assert.equal(await rollback.advance(), undefined);

  const story = await rollback.story();
  assert.deepEqual(
    story.map(({ event, actor }) => [event, actor]),
    [
      ['rollback_ordered', olga.name],
      ['admission_closed', 'docket_worker'],
      ['rollback_advanced', 'docket_worker'],
      ['rollback_advanced', 'docket_worker'],
      ['rollback_advanced', 'docket_worker'],
      ['controls_restored', 'docket_worker'],
      ['rollback_advanced', 'docket_worker'],
    ],
  );
  const steps = story.filter(({ event }) => event === 'rollback_advanced');
  assert.deepEqual(
    steps.map(({ reason: said }) => said),
    [
      `Rollback ${id}, close: Admission is closed. What begins now is read by OCR configuration ${good}.`,
      `Rollback ${id}, drain: Nothing is being read by OCR configuration ${bad} any more.`,
      `Rollback ${id}, restore: OCR configuration ${good} reads all documents. Configuration ${bad} is withdrawn.`,
      `Rollback ${id}, reopen: Admission is open again.`,
    ],
  );
  assert.deepEqual(steps[2]!.detail, {
    rollback: id,
    step: 'restore',
    active: good,
    known_good: good,
    withdrawn: bad,
  });
  const { rows: withdrawn } = await stage.db.query(
    'select ocr_version, reason, withdrawn_by from docket.ocr_withdrawals',
  );
  assert.deepEqual(withdrawn, [{ ocr_version: bad, reason, withdrawn_by: olga.name }]);
  const { rows: changes } = await stage.db.query(
    `select control, target, old_value, new_value, reason from docket.changes where control = 'ocr' and changed_by = 'docket_worker' order by change_id`,
  );
  assert.deepEqual(changes, [
    {
      ...{ control: 'ocr', target: 'active', old_value: { version: bad }, new_value: { version: good } },
      reason: `Rollback ${id}: ${reason}`,
    },
  ]);
  await refused('ZD092', start());
  const { rows: log } = await auditor.pool.query<{ failed_count: string }>(
    'select * from docket.verify_log()',
  );
  assert.deepEqual(
    log.filter((row) => row.failed_count !== '0'),
    [],
  );
});

test('of a canary, the active configuration and the last known good one stay what they were', async () => {
  const { bad: second, good: first } = await rollback.activate();
  const { canary } = await rollback.activateCanary();
  const [started] = await start();
  assert.deepEqual([started!.from_version, started!.to_version], [canary, second]);
  await rollback.advanceTo('done');
  assert.deepEqual(await rollback.choice(), [second, first, null, null]);
  const [next] = await start();
  assert.deepEqual(
    [next!.from_version, next!.to_version],
    [second, first],
    'the active one can be rolled back too',
  );
  await rollback.advanceTo('done');
});

test('one rollback is under way at a time; it needs a reason, and a time to drain of at most a day', async () => {
  await rollback.activate();
  await refused('ZD021', commands.startRollback(olga.pool, { reason: ' ' }));
  await refused('ZD074', start('25 hours'));
  await refused('ZD074', start('-1 s'));
  const both = await Promise.allSettled([start(), start()]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await refused('ZD091', start());
  await rollback.advanceTo('done');
});

test('it does not go back to a configuration that was rolled back itself', async () => {
  const { good } = await rollback.activate();
  await stage.db.query(
    `insert into docket.ocr_withdrawals (ocr_version, reason, withdrawn_by) values ($1, 'x', 'x')`,
    [good],
  );
  await refused('ZD092', start());
  const { bad } = await rollback.activate();
  await start();
  await rollback.advanceTo('done');
  assert.notEqual((await rollback.choice())[0], bad);
});

test('an operator who leaves the transaction open that began it holds up a rollback for half a minute at most', async () => {
  await rollback.activate();
  const client = await olga.pool.connect();
  try {
    await client.query('begin');
    await commands.startRollback(client, { reason });
    const { rows } = await client.query<{ timeout: string }>(
      `select current_setting('idle_in_transaction_session_timeout') as timeout`,
    );
    assert.deepEqual(rows, [{ timeout: '30s' }]);
    assert.equal(await rollback.advance(), undefined, 'it has not begun for others');
    await client.query('commit');
  } finally {
    client.release();
  }
  await rollback.advanceTo('done');
});

test('admission that was closed before stays closed', async () => {
  await commands.closeAdmission(olga.pool, { target: 'all', reason: 'an inspection' });
  await rollback.activate();
  await start();
  await rollback.advanceTo('done');
  assert.equal(await rollback.isClosed(), true);
  assert.match((await rollback.story()).at(-1)!.reason, /Admission stays closed: it is not for the rollback/);
  await commands.openAdmission(olga.pool, { target: 'all', reason: 'inspected' });
});

test('what an operator says of admission meanwhile holds: closed for another reason it stays closed, and opened it stays open', async () => {
  await rollback.activate();
  await start();
  await rollback.advanceTo('restore');
  await commands.closeAdmission(olga.pool, { target: 'all', reason: 'an inspection' });
  await rollback.advanceTo('done');
  assert.equal(await rollback.isClosed(), true);
  await commands.openAdmission(olga.pool, { target: 'all', reason: 'inspected' });

  await rollback.activate();
  await start();
  await rollback.advanceTo('restore');
  await commands.openAdmission(olga.pool, { target: 'all', reason: 'they are urgent' });
  await rollback.advanceTo('done');
  assert.equal(await rollback.isClosed(), false);
  assert.match((await rollback.story()).at(-1)!.reason, /Admission is open: somebody opened it before/);
});

test('whoever dies in a step leaves it undone, and whoever dies after it has done it once', async () => {
  const { bad, good } = await rollback.activate();
  await start();
  const ended: string[] = [];
  for (let step = ''; step !== 'done';) {
    const before = await rollback.newest();
    const count = (await rollback.story()).length;
    const dying = await stage.worker.connect();
    await dying.query('begin');
    const undone = await rollback.advance(dying);
    assert.equal(undone?.has_failed, false);
    await dying.query('rollback');
    dying.release(true);
    assert.deepEqual(await rollback.newest(), before);
    assert.equal((await rollback.story()).length, count);

    const lost = await stage.worker.connect();
    const done = await rollback.advance(lost);
    lost.release(true);
    step = done!.step;
    if (done!.waits_for === null) ended.push(step);
  }
  assert.deepEqual(ended, ['drain', 'restore', 'reopen', 'done']);
  assert.deepEqual(await rollback.choice(), [good, good, null, null]);
  assert.equal(
    (await rollback.story()).filter(({ event }) => event === 'rollback_advanced').length,
    4,
    String(bad),
  );
});

test('while it is under way nothing is activated, undone, or ended by its time, and what was rolled back is not chosen again', async () => {
  const [good] = await rollback.choice();
  const bad = await rollback.addVersion();
  const other = await rollback.addVersion();
  const [change] = await commands.activateOcrVersion(olga.pool, {
    ...{ version: bad, reason, for: '100 milliseconds' },
  });
  const undo = (id: string) => commands.undoChange(olga.pool, { change: id, reason: 'no' });
  await start();
  await rollback.advanceTo('restore');
  await refused('ZD091', commands.activateOcrVersion(olga.pool, { version: other, reason }));
  await refused('ZD091', undo(change!.change_id));
  await eventually('its time is over', async () => {
    const { rowCount } = await stage.db.query(
      'select from docket.changes where change_id = $1 and expires_at < clock_timestamp()',
      [change!.change_id],
    );
    return rowCount === 1;
  });
  assert.deepEqual(await commands.endExpiredChanges(stage.worker), []);
  await rollback.advanceTo('done');
  assert.deepEqual(await commands.endExpiredChanges(stage.worker), []);
  assert.deepEqual(await rollback.choice(), [good, good, null, null]);
  await refused('ZD075', undo(change!.change_id));
  const { rows } = await stage.db.query<{ change_id: string }>(
    `select change_id from docket.control_states where control = 'ocr' and target = 'active'`,
  );
  await refused('ZD084', undo(rows[0]!.change_id));
  await refused('ZD084', commands.activateOcrVersion(olga.pool, { version: bad, reason }));
});
