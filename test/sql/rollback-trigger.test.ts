import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { RollbackStage } from './rollback-stage.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const olga = await createLogin(database, 'docket_operator');
const rollback = new RollbackStage(database, stage, olga.pool);

/** An open alert of this severity that became so just now. */
async function alert(severity: string): Promise<string> {
  const { rows } = await stage.db.query<{ alert_id: string }>(
    `insert into docket.alerts (subject, severity, fact, next_command)
     values ('slo:quarantined_share ' || clock_timestamp(), $1, '40 of 50 documents were quarantined', 'docket status') returning alert_id`,
    [severity],
  );
  return rows[0]!.alert_id;
}

const allow = (within: string | null) =>
  stage.db.query('update docket.ocr_choice set automatic_within = $1', [within]);
/** Calls it with the rights of the owner and in the name of a worker, as the command does that watches. */
await stage.db.query(`
  create function docket.test_trigger(p_alert bigint) returns integer language sql security definer
  as 'select docket.trigger_rollback(p_alert)';
  grant execute on function docket.test_trigger(bigint) to docket_worker`);
const begin = async (id: string) =>
  (await stage.worker.query<{ rollback: number | null }>('select docket.test_trigger($1) as rollback', [id]))
    .rows[0]!.rollback;

test('a rollback begins by itself only where that was allowed, for a rollback threshold that was crossed after the activation', async () => {
  const early = await alert('rollback');
  const { bad, good } = await rollback.activate();
  const late = await alert('rollback');
  assert.equal(await begin(late), null, 'it was not allowed');
  await allow('1 hour');
  assert.equal(await begin(early), null, 'it was crossed before the activation');
  assert.equal(await begin(await alert('breach')), null, 'it is no rollback threshold');
  const closed = await alert('rollback');
  await stage.db.query('update docket.alerts set closed_at = clock_timestamp() where alert_id = $1', [
    closed,
  ]);
  assert.equal(await begin(closed), null, 'it is over');
  assert.equal(await begin('999999'), null);

  const id = await begin(late);
  const newest = await rollback.newest();
  assert.deepEqual(
    [
      newest['rollback_id'],
      newest['from_version'],
      newest['to_version'],
      newest['alert_id'],
      newest['ordered_by'],
    ],
    [id, bad, good, late, 'docket_worker'],
  );
  const [event] = await rollback.story();
  assert.deepEqual(
    [event!.event, event!.actor, event!.detail['alert']],
    ['rollback_triggered', 'docket_worker', Number(late)],
  );
  assert.match(event!.reason, /^Alert \d+, slo:quarantined_share .*: 40 of 50 documents were quarantined$/);
  assert.equal(await begin(await alert('rollback')), null, 'one is under way');
  await rollback.advanceTo('done');
});

test('none follows upon a rollback by itself before something is activated again', async () => {
  await allow('1 hour');
  await rollback.activate();
  await rollback.activateCanary();
  assert.ok(await begin(await alert('rollback')));
  await rollback.advanceTo('done');
  assert.notEqual(
    (await rollback.choice())[0],
    (await rollback.choice())[1],
    'there would be one to go back to',
  );
  assert.equal(await begin(await alert('rollback')), null);
  await rollback.activate();
  assert.ok(await begin(await alert('rollback')));
  await rollback.advanceTo('done');
});

test('none begins by itself once the time after the activation is over, or where there is none to go back to', async () => {
  await allow('1 hour');
  await rollback.activate();
  await stage.db.query(`update docket.ocr_choice set activated_at = activated_at - interval '61 minutes'`);
  assert.equal(await begin(await alert('rollback')), null);
  await stage.db.query(
    'update docket.ocr_choice set activated_at = clock_timestamp(), known_good_version = active_version',
  );
  assert.equal(await begin(await alert('rollback')), null);
});

test('an operator can order one while an automatic one would be allowed, and nobody can trigger one by hand', async () => {
  await rollback.activate();
  const id = await alert('rollback');
  for (const pool of [olga.pool, stage.worker])
    await assert.rejects(pool.query('select docket.trigger_rollback($1)', [id]), { code: '42501' });
  await commands.startRollback(olga.pool, { reason: 'it reads badly' });
  assert.equal(await begin(id), null);
  await rollback.advanceTo('done');
});
