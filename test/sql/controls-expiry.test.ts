import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createLogin } from '../support/logins.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const olga = await createLogin(database, 'docket_operator');

const set = async (window: number | null, span?: string): Promise<string> => {
  const [row] = await commands.setLaneWindow(olga.pool, {
    lane: 'standard',
    window,
    reason: 'for a while',
    ...(span !== undefined && { for: span }),
  });
  return row!.change_id;
};
const present = async () =>
  (
    await stage.db.query<{ window_size: number | null }>(
      `select window_size from docket.lanes where lane = 'standard'`,
    )
  ).rows[0]!.window_size;
/** Rounds of the duty until one finds nothing; answers what they ended. */
async function expire(): Promise<string[]> {
  const ended: string[] = [];
  for (;;) {
    const rows = await commands.endExpiredChanges(stage.worker);
    if (rows.length === 0) return ended;
    ended.push(...rows.map((row) => row.change_id));
  }
}
/** What a change undid. */
const undone = async (changes: string[]) =>
  (
    await stage.db.query<{ undoes: string }>(
      'select undoes from docket.changes where change_id = any ($1) order by change_id',
      [changes],
    )
  ).rows.map((row) => row.undoes);
/** Waits until the time of a change is over, by the clock of the database. */
const outlive = (change: string) =>
  eventually('the time of the change is over', async () => {
    const { rowCount } = await stage.db.query(
      'select from docket.changes where change_id = $1 and expires_at <= clock_timestamp()',
      [change],
    );
    return rowCount === 1;
  });

test('a change that was made for a time is undone when it is over, and not before', async () => {
  await set(100);
  const change = await set(10, '300 milliseconds');
  assert.deepEqual([await present(), await expire()], [10, []]);
  await outlive(change);
  const ended = await expire();
  assert.deepEqual([await present(), await undone(ended)], [100, [change]]);
  const { rows } = await stage.db.query<Record<string, unknown>>(
    `select event, reason, detail::json ->> 'undoes' as undoes, detail::json ->> 'to' as becomes from docket_audit.events
     where job_id = '00000000-0000-0000-0000-000000000000' order by seq desc limit 1`,
  );
  assert.deepEqual(rows, [
    { event: 'controls_restored', reason: 'Its time is over: for a while', undoes: change, becomes: '100' },
  ]);
  assert.deepEqual(await expire(), []);
});

test('what was changed since, for good, is not undone by the end of what was before', async () => {
  const change = await set(20, '200 milliseconds');
  await set(30);
  await outlive(change);
  assert.deepEqual([await expire(), await present()], [[], 30]);
  const same = await set(40, '200 milliseconds');
  await set(40);
  await outlive(same);
  assert.deepEqual([await expire(), await present()], [[], 40], 'said again, for good');
});

test('of changes that were made one upon the other each ends, the newest first', async () => {
  await set(1);
  const below = await set(2, '200 milliseconds');
  const above = await set(3, '400 milliseconds');
  await outlive(below);
  assert.deepEqual([await expire(), await present()], [[], 3]);
  await outlive(above);
  assert.deepEqual([await undone(await expire()), await present()], [[above, below], 1]);
});

test('what was taken away for a time is there again afterwards', async () => {
  const target = 'source:carrier-a';
  const limit = (given: string | null, span?: string) =>
    commands.setFlowLimit(olga.pool, {
      target,
      limit: given,
      reason: 'a rush',
      ...(span !== undefined && { for: span }),
    });
  await limit('{"max_waiting": 5}');
  const [change] = await limit(null, '200 milliseconds');
  assert.equal((await stage.db.query('select from docket.flow_limits')).rowCount, 0);
  await outlive(change!.change_id);
  await expire();
  const { rows } = await stage.db.query('select target, max_waiting from docket.flow_limits');
  assert.deepEqual(rows, [{ target, max_waiting: 5 }]);
});

test('a rate is recorded to the digit whatever the session does with digits, and ends when its time is over', async () => {
  const session = await olga.pool.connect();
  await session.query('set extra_float_digits = -15');
  const [row] = await commands.setFlowLimit(session, {
    target: 'all',
    limit: JSON.stringify({ documents_per_minute: 123.456, documents_burst: 7 }),
    reason: 'for a while',
    for: '300 milliseconds',
  });
  session.release(true);
  const { rows } = await stage.db.query<{ to: unknown }>(
    `select detail::json -> 'to' as to from docket_audit.events
     where job_id = '00000000-0000-0000-0000-000000000000' order by seq desc limit 1`,
  );
  assert.deepEqual(rows[0]!.to, { documents_per_minute: 123.456, documents_burst: 7, on_excess: 'defer' });
  await outlive(row!.change_id);
  assert.deepEqual(await undone(await expire()), [row!.change_id]);
  const { rowCount } = await stage.db.query(`select from docket.flow_limits where target = 'all'`);
  assert.equal(rowCount, 0);
});

test('a transaction that changed something and is left open is ended, since others wait for it', async () => {
  const session = await olga.pool.connect();
  const limitOfRest = async () =>
    (
      await session.query<{ idle_in_transaction_session_timeout: string }>(
        'show idle_in_transaction_session_timeout',
      )
    ).rows[0]!.idle_in_transaction_session_timeout;
  for (const [own, whileOpen] of [
    ['0', '30s'],
    ['2s', '2s'],
  ]) {
    await session.query(`set idle_in_transaction_session_timeout = '${own!}'`);
    await session.query('begin');
    await commands.setLaneWindow(session, { lane: 'standard', window: 60, reason: 'for a while' });
    assert.equal(await limitOfRest(), whileOpen);
    await session.query('rollback');
    assert.equal(await limitOfRest(), own);
  }
  session.release(true);
});
