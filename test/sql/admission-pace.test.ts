import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { AdmissionStage } from './admission-stage.ts';

const database = await createTestDatabase();
const admission = await AdmissionStage.open(database);
const { stage } = admission;

const T = '2026-05-01 12:00:00+00';

/** Tells of the slots of the one worker that there is. */
const report = (ocr: number, reserved: number) =>
  commands.reportSlots(stage.worker, {
    lease: stage.lease,
    pools: ['ocr', 'ocr_reserved'],
    wanted: [ocr, reserved],
    running: [ocr, reserved],
    heldBack: [null, null],
  });

/** The window of a lane so many seconds after T. */
async function windowAfter(seconds: number, lane = 'standard', most = 1_000): Promise<number> {
  const { rows } = await stage.db.query<{ paced: number }>(
    `select docket.pace_lane($1, $2, $3::timestamptz + make_interval(secs => $4)) as paced`,
    [lane, most, T, seconds],
  );
  return rows[0]!.paced;
}

afterEach(async () => {
  await stage.db.query('delete from docket.slot_grants');
  await admission.clear();
  await stage.db.query('delete from docket.lane_paces');
});

test('where no process has told of slots, as many enter as the worker is configured for', async () => {
  await admission.deliver('storm', 50);
  assert.equal(await admission.admit(40), 40);
});

test('before anything is finished, two for each slot enter: of the reserved ones too, where the lane has them', async () => {
  await report(2, 1);
  await admission.deliver('storm', 50);
  await admission.deliver('storm', 50, { kind: 'delivery_receipt' });
  await admission.admit();
  assert.deepEqual(await admission.underWay({ lane: 'standard' }), { storm: 4 });
  assert.deepEqual(await admission.underWay({ lane: 'signature_critical' }), { storm: 6 });
  await admission.admit();
  assert.deepEqual(await admission.underWay({ lane: 'standard' }), { storm: 4 });
});

test('a lane has room for what is finished in a second besides, and never for more than the worker is configured for', async () => {
  await report(2, 0);
  await admission.deliver('storm', 100);
  await stage.db.query(`update docket.lanes set window_size = 40 where lane = 'standard'`);
  await admission.admit();
  assert.equal(await windowAfter(0), 4);
  await admission.finish('storm', 10);
  // 10 in two seconds are 5 a second, of which the average takes 1 - 1/e: 3.16, and 4 for the slots
  assert.equal(await windowAfter(2), 8);
  // nothing in two more seconds: 3.16 / e = 1.16
  assert.equal(await windowAfter(4), 6);
  await admission.finish('storm', 30);
  // 30 in a second: 1.16 + (30 - 1.16) (1 - e^-0.5) = 12.51
  assert.equal(await windowAfter(5), 17);
  assert.equal(await windowAfter(5, 'standard', 9), 9);
  // after a rest the pace is what it was
  assert.equal(await windowAfter(500), 17);
});

test('what waits for its next try holds up no others, until there are as many as the worker is configured for', async () => {
  await report(1, 0);
  await admission.deliver('storm', 9);
  assert.equal(await admission.admit(5), 2);
  const putOff = () =>
    stage.db.query(`update docket.jobs set due_at = now() + interval '1 hour' where next_task is not null`);
  await putOff();
  assert.ok((await admission.admit(5)) >= 2);
  await putOff();
  await admission.admit(5);
  assert.deepEqual(await admission.underWay(), { storm: 5 });
  await stage.db.query(`update docket.jobs set due_at = null where next_task is not null`);
});

test('a process without a slot keeps room for two, so that scans are checked though none is recognised', async () => {
  await report(0, 0);
  await admission.deliver('storm', 6);
  assert.equal(await admission.admit(), 2);
});
