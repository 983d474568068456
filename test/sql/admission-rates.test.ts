import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { seeded } from '../support/seeded.ts';
import { AdmissionStage } from './admission-stage.ts';
import { result } from './stage.ts';

const database = await createTestDatabase();
const admission = await AdmissionStage.open(database);
const { stage } = admission;
afterEach(() => admission.clear());

const state = async (target: string) =>
  (
    await stage.db.query<{ documents_at: number; pages_at: number; each: number }>(
      `select extract(epoch from nullif(documents_tat, '-infinity') - clock_timestamp())::float8 as documents_at,
         extract(epoch from nullif(pages_tat, '-infinity') - clock_timestamp())::float8 as pages_at, pages_per_document as each
       from docket.flow_states where target = $1`,
      [target],
    )
  ).rows[0]!;

test('after a rest a burst enters, then as many as the rate gives', async () => {
  // a token in 100 s, so that the time the test itself takes gives none
  await admission.limit('source:storm', { documents_per_minute: 0.6, documents_burst: 10 });
  await admission.deliver('storm', 40);
  assert.deepEqual([await admission.admit(), await admission.admit()], [10, 0]);
  await admission.pass(50);
  assert.equal(await admission.admit(), 0, 'half a token');
  await admission.pass(50);
  assert.equal(await admission.admit(), 1);
  await admission.pass(350);
  assert.equal(await admission.admit(), 3);
  await admission.pass(50);
  assert.equal(await admission.admit(), 1, 'the half that was left over is not lost');
  await admission.pass(1_000_000);
  assert.equal(await admission.admit(), 10, 'no rest gives more than the burst');
});

test('the theoretical arrival time is the time that what entered is worth', async () => {
  await admission.limit('source:storm', { documents_per_minute: 7, documents_burst: 20 });
  await admission.deliver('storm', 13);
  assert.equal(await admission.admit(), 13);
  // 13 documents at 7 a minute are worth 111.43 s
  const { documents_at: ahead } = await state('source:storm');
  assert.ok(ahead > 100 && ahead <= (13 * 60) / 7 + 0.000001, String(ahead));
});

test('a limit of one source holds up no other, and a limit of all is shared in turns', async () => {
  await admission.limit('source:storm', { documents_per_minute: 0.6, documents_burst: 2 });
  await admission.deliver('storm', 20);
  await admission.deliver('quiet', 20);
  assert.equal(await admission.admit(), 22);
  await admission.clear();
  await admission.limit('all', { documents_per_minute: 0.6, documents_burst: 12 });
  await admission.deliver('storm', 20);
  await admission.deliver('quiet', 4);
  assert.equal(await admission.admit(), 12);
  assert.deepEqual(await admission.underWay(), { quiet: 4, storm: 8 });
});

test('a critical paper takes the token of its source before its standard ones do', async () => {
  await admission.limit('source:storm', { documents_per_minute: 0.6, documents_burst: 2 });
  await admission.deliver('storm', 5);
  await admission.deliver('storm', 1, { kind: 'exception_sheet' });
  assert.equal(await admission.admit(), 2);
  assert.deepEqual(await admission.underWay({ lane: 'signature_critical' }), { storm: 1 });
});

test('never does more enter than the burst and what the rate gave since, however time and deliveries fall', async () => {
  const random = seeded(20_260_102);
  for (const [rate, burst] of [
    [7, 5],
    [600, 3],
    [0.37, 11],
  ] as const) {
    await admission.limit('source:storm', { documents_per_minute: rate, documents_burst: burst });
    await admission.deliver('storm', 120);
    const began = performance.now();
    let passed = 0;
    let entered = await admission.admit();
    assert.equal(entered, burst);
    for (let round = 0; round < 25; round += 1) {
      // by and large a document or two a round
      const seconds = (random() * 200) / rate;
      passed += seconds;
      await admission.pass(seconds);
      if (random() < 0.7) entered += await admission.admit();
      const most = burst + (rate / 60) * (passed + (performance.now() - began) / 1000);
      assert.ok(entered <= most + 0.00001, `${String(entered)} entered, at most ${String(most)} may`);
      if (entered > 115) break;
    }
    assert.ok(entered > burst + 10, String(entered));
    await admission.clear();
  }
});

test('pages are predicted, and the difference is charged once they are known', async () => {
  await admission.limit('source:carrier-a', { pages_per_minute: 0.6, pages_burst: 10 });
  const jobs = [await stage.deliver(), await stage.deliver()];
  assert.equal(await admission.admit(), 2);
  // a page each is expected at first: two pages at 0.6 a minute are worth 200 s
  const before = await state('source:carrier-a');
  assert.ok(Math.abs(before.pages_at - 200) < 30, String(before.pages_at));
  assert.deepEqual([(await stage.job(jobs[0]!))['predicted_pages'], before.each], [1, 1]);

  await stage.verify(await stage.begin(jobs[0]!, 'hash'));
  const open = await stage.begin(jobs[0]!, 'ocr');
  const pages = Array.from({ length: 9 }, (_, at) => ({
    ...(JSON.parse(result()) as { pages: object[] }).pages[0],
    page_no: at + 1,
  }));
  await stage.record(open, result({ pages_declared: 9, pages_decoded: 9, pages }));
  const { rows } = await stage.db.query('select source_id, pages, predicted from docket.page_charges');
  assert.deepEqual(rows, [{ source_id: 'carrier-a', pages: 9, predicted: 1 }]);
  await admission.admit();
  // eight pages more are worth 800 s; of the average it is a tenth: 0.9 × 1 + 0.1 × 9
  const after = await state('source:carrier-a');
  assert.ok(Math.abs(after.pages_at - 1000) < 60, String(after.pages_at));
  assert.ok(Math.abs(after.each - 1.8) < 0.0001, String(after.each));
  assert.equal((await stage.db.query('select from docket.page_charges')).rowCount, 0);

  // 10 pages of burst are 1000 s: nothing is left until 180 s gave 1.8 pages
  await stage.deliver();
  assert.equal(await admission.admit(), 0);
  await admission.pass(210);
  assert.equal(await admission.admit(), 1);
  await stage.publish(await stage.begin(jobs[0]!, 'publish'));
});

test('a document that is expected to have more pages than the burst enters when the bucket is full', async () => {
  await admission.limit('source:storm', { pages_per_minute: 0.6, pages_burst: 3 });
  await admission.deliver('storm', 3);
  await stage.db.query(
    `insert into docket.flow_states (target, pages_per_document) values ('source:storm', 5)`,
  );
  assert.deepEqual([await admission.admit(), await admission.admit()], [1, 0]);
  await admission.pass(450);
  assert.equal(await admission.admit(), 0, 'half full');
  await admission.pass(60);
  assert.equal(await admission.admit(), 1);
});

test('documents without limits leave no trace of them', async () => {
  await stage.validated();
  const { rows } = await stage.db.query(
    `select (select count(*)::integer from docket.flow_states) as states,
       (select count(*)::integer from docket.page_charges) as charges,
       (select count(*)::integer from docket.jobs where next_task is not null and num_nonnulls(predicted_pages, predicted_mb) > 0) as predicted`,
  );
  assert.deepEqual(rows, [{ states: 0, charges: 0, predicted: 0 }]);
});

test('who asks is told what waits, whose rate keeps it, and when the next one enters', async () => {
  await admission.limit('source:storm', { documents_per_minute: 6, documents_burst: 2 });
  await admission.deliver('storm', 5);
  await admission.deliver('quiet', 1);
  await admission.close('source:quiet');
  await admission.admit();
  const { rows } = await stage.db.query<Record<string, unknown>>(
    `select source_id, waiting, gate, flow_limit, in_flight, extract(epoch from next_at - clock_timestamp())::float8 as seconds
     from docket.admission_state()`,
  );
  const [quiet, storm] = rows;
  assert.deepEqual(
    [quiet, { ...storm, seconds: null }],
    [
      { source_id: 'quiet', waiting: 1, gate: 'source:quiet', flow_limit: null, in_flight: 0, seconds: null },
      { source_id: 'storm', waiting: 3, gate: null, flow_limit: 'source:storm', in_flight: 2, seconds: null },
    ],
  );
  // a token in 10 s
  assert.ok(Number(storm!['seconds']) > 0 && Number(storm!['seconds']) <= 10, String(storm!['seconds']));
});

test('however many charges have gathered, as while nothing was limited, they are settled in one round', async () => {
  await admission.limit('source:storm', { pages_per_minute: 600, pages_burst: 1000 });
  await stage.db.query(`insert into docket.flow_states (target) values ('source:storm')`);
  await stage.db.query(
    `insert into docket.page_charges (source_id, pages, predicted) select 'storm', 3, 3 from generate_series(1, 20000)`,
  );
  assert.equal(await admission.admit(), 0);
  assert.equal((await state('source:storm')).each, 3);
  const { rows } = await stage.db.query('select from docket.page_charges');
  assert.equal(rows.length, 0);
});

test('an open transaction that changes or removes a limit holds up admission of nobody', async () => {
  const olga = await createLogin(database, 'docket_operator');
  await admission.limit('source:storm', { documents_per_minute: 600, documents_burst: 100 });
  await admission.deliver('storm', 1);
  assert.equal(await admission.admit(), 1);
  for (const limit of ['{"documents_per_minute": 60}', null]) {
    const session = await olga.pool.connect();
    await session.query('begin');
    await commands.setFlowLimit(session, { target: 'source:storm', limit, reason: 'to be thought over' });
    await admission.deliver('storm', 1);
    await admission.deliver('quiet', 1);
    assert.equal(await admission.admit(), 2);
    await session.query('rollback');
    session.release();
  }
});
