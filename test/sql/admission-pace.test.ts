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

/** As if the standard lane had been looked at so many seconds after T. */
async function lookedAt(seconds: number, pace: { window: number; underWay: number }): Promise<void> {
  await stage.db.query(
    `insert into docket.lane_paces (lane, looked_at, window_size, under_way)
     values ('standard', $1::timestamptz + make_interval(secs => $2), $3, $4)
     on conflict (lane) do update set
       looked_at = excluded.looked_at, window_size = excluded.window_size, under_way = excluded.under_way`,
    [T, seconds, pace.window, pace.underWay],
  );
}

/** Verifies so many of the documents under way, which are then ready to be recognised; returns their jobs. */
async function verify(count: number): Promise<string[]> {
  const { rows } = await stage.db.query<{ job_id: string }>(
    `select job_id from docket.jobs where next_task = 'hash' order by accepted_at, job_id limit $1`,
    [count],
  );
  for (const { job_id } of rows) await stage.verify(await stage.begin(job_id, 'hash'));
  return rows.map((row) => row.job_id);
}

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

test('a window that was full and left slots idle with nothing on its way grows eightfold in a second, up to what the worker may', async () => {
  await report(2, 0);
  await lookedAt(0, { window: 4, underWay: 4 });
  // 4 * 8^0.4 = 9.19 and 8 * 8^0.4 = 18.38
  assert.equal(await windowAfter(0.4), 9);
  await lookedAt(0, { window: 8, underWay: 8 });
  assert.equal(await windowAfter(0.4), 18);
  await lookedAt(0, { window: 4, underWay: 4 });
  assert.equal(await windowAfter(1), 32);
  await lookedAt(0, { window: 4, underWay: 4 });
  assert.equal(await windowAfter(1, 'standard', 9), 9);
});

test('where as much is fetched and checked as slots are idle it grows by half in a second', async () => {
  await report(2, 0);
  await admission.deliver('storm', 2);
  await admission.admit();
  await lookedAt(0, { window: 4, underWay: 4 });
  assert.equal(await windowAfter(1), 6);
  await lookedAt(0, { window: 8, underWay: 8 });
  // 8 * 1.5^0.4 = 9.41
  assert.equal(await windowAfter(0.4), 9);
  // of four slots two have nothing
  await report(4, 0);
  await lookedAt(0, { window: 8, underWay: 8 });
  assert.equal(await windowAfter(1), 64);
});

test('a window that something else kept from being full stays as it is', async () => {
  await report(2, 0);
  await lookedAt(0, { window: 8.5, underWay: 7 });
  assert.equal(await windowAfter(1), 8);
  await lookedAt(0, { window: 8.5, underWay: 8 });
  // 8.5 * 8^0.4 = 19.53
  assert.equal(await windowAfter(0.4), 19);
});

test('while as many are ready as there are slots the window shrinks, to two a slot; while one is, or no slot is idle, it stays', async () => {
  await report(2, 0);
  await admission.deliver('storm', 3);
  await admission.admit();
  const ready = await verify(3);
  const begun = [await stage.begin(ready[0]!, 'ocr')];
  await lookedAt(0, { window: 20, underWay: 20 });
  // 20 * 0.6, 12 * 0.6, and 7.2 * 0.6 = 4.32
  assert.equal(await windowAfter(1), 12);
  assert.equal(await windowAfter(2), 7);
  assert.equal(await windowAfter(3), 4);
  assert.equal(await windowAfter(4), 4);
  await report(3, 0);
  begun.push(await stage.begin(ready[1]!, 'ocr'));
  await lookedAt(0, { window: 20, underWay: 20 });
  assert.equal(await windowAfter(1), 20, 'one is ready, one slot is idle');
  begun.push(await stage.begin(ready[2]!, 'ocr'));
  await lookedAt(0, { window: 20, underWay: 20 });
  assert.equal(await windowAfter(1), 20, 'none is ready, no slot is idle');
  // after a rest it begins anew
  assert.equal(await windowAfter(2.1), 6);
  for (const open of begun) await admission.refuse(open);
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
