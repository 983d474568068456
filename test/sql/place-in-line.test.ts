import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const { db } = stage;

interface Place {
  waits_for: string;
  target: string | null;
  /** From now; null where it cannot be said. */
  seconds: number | null;
}

async function place(job: string): Promise<Place> {
  const { rows } = await db.query<Place>(
    `select waits_for, target, extract(epoch from expected_at - clock_timestamp())::float8 as seconds
     from docket.place_in_line($1)`,
    [job],
  );
  return rows[0]!;
}

/** Neither a limit nor a window is set, and nothing waits or is under way; what was verified, was so before anything waited. */
async function begin(): Promise<void> {
  await db.query('delete from docket.flow_limits');
  await db.query('update docket.lanes set window_size = null');
  await db.query('delete from docket.slot_grants');
  await db.query('delete from docket.lane_paces');
  await db.query('delete from docket.flow_states');
  await stage.admit();
  const { rows } = await db.query<{ job_id: string; next_task: string }>(
    'select job_id, next_task from docket.jobs where next_task is not null',
  );
  for (const { job_id: job, next_task: task } of rows) {
    const open = await stage.begin(job, task);
    if (task === 'hash') await stage.verify(open);
    await stage.fail(task === 'hash' ? await stage.begin(job, 'ocr') : open, 'CORRUPT');
  }
}

const setWindow = (size: number) =>
  db.query(`update docket.lanes set window_size = $1 where lane = 'standard'`, [size]);
const setRate = (perMinute: number, burst: number) =>
  db.query('select docket.set_flow_limit($1, $2, $3)', [
    ...['source:carrier-a', JSON.stringify({ documents_per_minute: perMinute, documents_burst: burst })],
    'a test',
  ]);

test('behind a full window a document that nothing else holds up is promised no time until something is verified', async () => {
  await begin();
  await setWindow(1);
  await setRate(600, 100);
  const before = await stage.deliver();
  assert.equal(await stage.admit(), 1);
  const job = await stage.deliver();
  assert.deepEqual(await place(job), { waits_for: 'turn', target: null, seconds: null });
  assert.equal(await stage.admit(), 0, 'the window keeps it out, and not the rate');

  await stage.verify(await stage.begin(before, 'hash'));
  const later = await place(job);
  assert.equal(later.waits_for, 'turn');
  assert.ok(later.seconds! > 0, String(later.seconds));
});

test('a window that admission paced, or that follows from the slots, is full as well', async () => {
  await begin();
  await commands.reportSlots(stage.worker, {
    ...{ lease: stage.lease, pools: ['ocr'], wanted: [1], running: [0], heldBack: [null] },
  });
  await stage.deliver();
  await stage.deliver();
  assert.equal(await stage.admit(), 2);
  await db.query('delete from docket.lane_paces');
  const job = await stage.deliver();
  // two for the slot
  assert.deepEqual(await place(job), { waits_for: 'turn', target: null, seconds: null });
  await db.query(
    `insert into docket.lane_paces (lane, looked_at, window_size, under_way) values ('standard', clock_timestamp(), 3.9, 2)`,
  );
  const room = await place(job);
  assert.ok(room.seconds! <= 0 && room.seconds! > -1, String(room.seconds));
  await db.query('update docket.lane_paces set window_size = 2.9');
  assert.equal((await place(job)).seconds, null);
});

test('with a rate and a full window that is named which holds it up longer, and no time before both allow it', async () => {
  await begin();
  await setWindow(1);
  await setRate(1, 1);
  const before = await stage.deliver();
  assert.equal(await stage.admit(), 1);
  const job = await stage.deliver();
  // the next token comes within a minute, and the window was seen full for less than a second
  assert.deepEqual(await place(job), { waits_for: 'rate', target: 'source:carrier-a', seconds: null });
  await stage.verify(await stage.begin(before, 'hash'));
  const { seconds, ...rate } = await place(job);
  assert.deepEqual(rate, { waits_for: 'rate', target: 'source:carrier-a' });
  assert.ok(seconds! > 55 && seconds! <= 60, String(seconds));
  // the next token comes within a millisecond, and the window stays full
  await setRate(100_000, 1);
  assert.equal(await stage.admit(), 0);
  assert.equal((await place(job)).waits_for, 'turn');
});

test('a document whose memory is taken is promised no time either until something is verified', async () => {
  await begin();
  await db.query(
    `select docket.set_flow_limit('source:carrier-a', '{"max_in_flight_mb": 200, "documents_per_minute": 1, "documents_burst": 1}', 'a test')`,
  );
  await stage.deliver();
  assert.equal(await stage.admit(), 1);
  assert.equal((await place(await stage.deliver())).seconds, null);
});
