import assert from 'node:assert/strict';
import { afterEach, before, test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { WatchStage } from './watch-stage.ts';

const database = await createTestDatabase();
const watch = await WatchStage.open(database);
const { db } = watch.stage;
const SHARE = 'slo:quarantined_share';

/** In place of the true one: notes for which alerts a rollback was asked for. */
before(async () => {
  await db.query(`
    drop function if exists docket.trigger_rollback(bigint);
    create table triggered (alert_id bigint);
    create function docket.trigger_rollback(p_alert_id bigint) returns integer language plpgsql security definer as $$
    begin
      insert into public.triggered values (p_alert_id);
      return null;
    end $$`);
  await db.query(`insert into docket.ocr_versions (reason, added_by) values ('a test', 'olga')`);
});

afterEach(async () => {
  await watch.quiet();
  await db.query('delete from triggered');
});

/** Version 2 was activated so long ago; a rollback may begin by itself for so long after. */
const activated = (ago: string, within: string | null) =>
  db.query(
    `update docket.ocr_choice
     set active_version = 2, known_good_version = 1, activated_at = clock_timestamp() - $1::interval, automatic_within = $2::interval`,
    [ago, within],
  );
const bad = () => watch.recognised(2, { VALIDATION_REJECTED: 30 });

async function triggered(): Promise<string[]> {
  const { rows } = await db.query<{ alert_id: string }>('select distinct alert_id from triggered');
  return rows.map(({ alert_id }) => alert_id);
}

test('a rollback threshold that is crossed soon after an activation has a rollback begin for that alert', async () => {
  await activated('30 minutes', '1 hour');
  await bad();
  assert.deepEqual(await watch.round(), [`opened rollback ${SHARE}`]);
  const [alert] = await watch.open();
  assert.deepEqual(await triggered(), [alert!.alert_id]);
});

for (const [what, ago, within] of [
  ['the operator did not allow it', '30 minutes', null],
  ['the time for which it was allowed is over', '2 hours', '1 hour'],
] as const) {
  test(`no rollback begins by itself where ${what}; the alert is open all the same`, async () => {
    await activated(ago, within);
    await bad();
    assert.deepEqual(await watch.round(), [`opened rollback ${SHARE}`]);
    assert.deepEqual(await triggered(), []);
  });
}

test('no rollback begins for what was so bad before the activation', async () => {
  await activated('2 hours', null);
  await bad();
  await watch.round();
  await activated('0 seconds', '1 hour');
  await watch.rounds(2);
  assert.deepEqual(await triggered(), []);
});

test('no rollback begins for a breach', async () => {
  await activated('1 minute', '1 hour');
  await watch.recognised(2, { '': 30, VALIDATION_REJECTED: 20 });
  assert.deepEqual(await watch.round(), [`opened breach ${SHARE}`]);
  assert.deepEqual(await triggered(), []);
});

test('what keeps a rollback from beginning is told by the alert, and the round goes on', async () => {
  await db.query(`
    create or replace function docket.trigger_rollback(p_alert_id bigint) returns integer language plpgsql security definer as $$
    begin
      raise exception 'nothing to go back to';
    end $$`);
  await activated('1 minute', '1 hour');
  await bad();
  assert.deepEqual(await watch.round(), [`opened rollback ${SHARE}`]);
  const [alert] = await watch.open();
  assert.equal(alert!.why, 'A rollback could not begin by itself: nothing to go back to');
});
