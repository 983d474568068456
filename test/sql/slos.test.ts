import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { measureAll } from './ages-stage.ts';
import { refused } from './refused.ts';
import { page, result } from './stage.ts';
import { WatchStage } from './watch-stage.ts';

const database = await createTestDatabase();
const watch = await WatchStage.open(database);
const { stage } = watch;
const { db } = stage;
const olga = await createLogin(database, 'docket_operator');
const reason = 'a stricter promise';

afterEach(async () => {
  await watch.quiet();
  await db.query(
    'update docket.ocr_choice set active_version = 1, known_good_version = 1, canary_version = null, canary_share = null, automatic_within = null',
  );
});

const set = (slo: string, value: unknown, more: { for?: string } = {}) =>
  commands.setSlo(olga.pool, { slo, value: JSON.stringify(value), reason, ...more });

async function thresholds(slo: string): Promise<unknown> {
  const { rows } = await olga.pool.query('select warning, breach, rollback from docket.slos where slo = $1', [
    slo,
  ]);
  return rows[0];
}

const shareNow = async () =>
  (await commands.sloMeasures(olga.pool)).find(({ slo }) => slo === 'quarantined_share');

async function addVersion(): Promise<number> {
  const { rows } = await db.query<{ ocr_version: number }>(
    `insert into docket.ocr_versions (reason, added_by) values ('a test', 'olga') returning ocr_version`,
  );
  return rows[0]!.ocr_version;
}

test('every measure and lane has an objective from the start, with thresholds that rise', async () => {
  const { rows } = await olga.pool.query<{ measure: string; lane: string | null }>(
    'select measure, lane from docket.slos order by measure, lane',
  );
  assert.deepEqual(
    rows.map(({ measure, lane }) => `${measure} ${lane ?? ''}`.trim()),
    [
      'admitted',
      'quarantined_share',
      'running',
      'undeferred signature_critical',
      'undeferred standard',
      'unpublished',
      'unsealed',
      'untold',
      'whole_p95 signature_critical',
      'whole_p95 standard',
    ],
  );
  const { rows: lanes } = await db.query<{ lane: string }>('select lane from docket.lanes order by lane');
  assert.deepEqual(
    lanes.map(({ lane }) => lane),
    ['signature_critical', 'standard'],
  );
});

test('thresholds are a change: what is not named stays, null takes away, and it is undone', async () => {
  const before = await thresholds('undeferred_standard');
  assert.deepEqual(before, { warning: 300, breach: 900, rollback: 3600 });
  const [first] = await set('undeferred_standard', { warning: 120.5 });
  assert.deepEqual(first!.previous, before);
  assert.deepEqual(await thresholds('undeferred_standard'), { warning: 120.5, breach: 900, rollback: 3600 });
  const [second] = await set('undeferred_standard', { breach: 150, rollback: null }, { for: '1 hour' });
  assert.deepEqual(await thresholds('undeferred_standard'), { warning: 120.5, breach: 150, rollback: null });
  assert.ok(second!.expires_at !== null);
  const { rows } = await olga.pool.query<{ value: unknown; change_id: string }>(
    `select value, change_id from docket.control_states where control = 'slo' and target = 'undeferred_standard'`,
  );
  assert.deepEqual(rows, [
    { value: { warning: 120.5, breach: 150, rollback: null }, change_id: second!.change_id },
  ]);
  await commands.undoChange(olga.pool, { change: second!.change_id, reason });
  await commands.undoChange(olga.pool, { change: first!.change_id, reason });
  assert.deepEqual(await thresholds('undeferred_standard'), before);
});

for (const [what, slo, value, sqlstate, words] of [
  ['an objective that there is not', 'nosuch', { warning: 1 }, 'ZD073', /there is no objective "nosuch"/],
  ['thresholds that fall', 'unsealed', { warning: 400 }, 'ZD074', /none is below one that is less severe/],
  ['a threshold of nothing', 'unsealed', { warning: 0 }, 'ZD074', /thresholds are above 0/],
  ['no threshold', 'unsealed', {}, 'ZD074', /no threshold of unsealed is stated/],
  ['what is no object', 'unsealed', [1], 'ZD074', /no threshold of unsealed is stated/],
  ['a word', 'unsealed', { breach: 'soon' }, 'ZD074', /"breach" is "soon", which is no threshold/],
  ['another field', 'unsealed', { span: 5 }, 'ZD074', /"span" is 5, which is no threshold/],
] as const) {
  test(`${what} is refused, in words that name it and the command that helps`, async () => {
    const before = await thresholds('unsealed');
    const { message, hint } = await refused(sqlstate, set(slo, value));
    assert.match(message, words);
    assert.match(hint!, /docket slo list/);
    assert.deepEqual(await thresholds('unsealed'), before);
  });
}

test('an objective whose thresholds are all taken away has no alert, and one that is open closes', async () => {
  await stage.deliver();
  await watch.older(310);
  assert.deepEqual(await watch.round(), ['opened warning slo:undeferred_standard']);
  const [change] = await set('undeferred_standard', { warning: null, breach: null, rollback: null });
  assert.deepEqual(await watch.rounds(3), ['closed warning slo:undeferred_standard']);
  await commands.undoChange(olga.pool, { change: change!.change_id, reason });
  assert.deepEqual(await watch.round(), ['opened warning slo:undeferred_standard']);
});

test('how recognition came out is counted by the configuration that read, the lane and the code', async () => {
  await stage.published();
  await stage.validated({ documentKind: 'delivery_receipt' }); // which has more gates
  const version = await addVersion();
  await db.query('update docket.ocr_choice set active_version = $1', [version]);
  const rejected = await stage.running();
  await stage.record(rejected, result({ pages: [page('x', { confidence: 3 })] }));
  await stage.quarantined();
  await measureAll(stage.worker, 3);
  const { rows } = await db.query<Record<string, unknown>>(
    `select ocr_version, lane, code, documents::integer from docket.ocr_minutes order by ocr_version, lane, code`,
  );
  assert.deepEqual(rows, [
    { ocr_version: 1, lane: 'signature_critical', code: 'VALIDATION_REJECTED', documents: 1 },
    { ocr_version: 1, lane: 'standard', code: '', documents: 1 },
    { ocr_version: version, lane: 'standard', code: 'CORRUPT', documents: 1 },
    { ocr_version: version, lane: 'standard', code: 'VALIDATION_REJECTED', documents: 1 },
  ]);
});

test('of fewer than 20 documents no share is told; of more, what the file is to blame for does not count', async () => {
  await watch.recognised(1, { '': 9, VALIDATION_REJECTED: 10, CORRUPT: 500 });
  assert.equal(await shareNow(), undefined);
  await watch.recognised(1, { '': 21 });
  const share = await shareNow();
  assert.equal(share!.value, 10 / 40);
  assert.equal(
    share!.fact,
    '10 of 40 documents that OCR configuration 1 read within 10 min were quarantined, most for VALIDATION_REJECTED',
  );
  assert.equal(share!.next_command, 'docket quarantine list');
});

test('a bad canary does not hide behind what the others read well, and is rolled back by the next command', async () => {
  const canary = await addVersion();
  await db.query('update docket.ocr_choice set canary_version = $1, canary_share = 0.1', [canary]);
  const job = await stage.quarantined();
  await watch.recognised(1, { '': 1000 });
  await watch.recognised(canary, { '': 5, VALIDATION_REJECTED: 9, RETRY_EXHAUSTED: 11 }, { job });
  assert.deepEqual(await watch.round(), ['opened rollback slo:quarantined_share']);
  const [alert] = await watch.open();
  assert.equal(
    alert!.fact,
    `20 of 25 documents that OCR configuration ${canary} read within 10 min were quarantined, most for RETRY_EXHAUSTED; the threshold is 50 %.`,
  );
  assert.equal(alert!.next_command, `docket rollback --reason '...'`);
  assert.match(alert!.why!, /^It is quarantined for CORRUPT/);
  await db.query('update docket.ocr_choice set canary_version = null, canary_share = null');
  assert.deepEqual(
    await watch.rounds(3),
    ['closed rollback slo:quarantined_share'],
    'nobody reads by it any more',
  );
});

test('how long documents took is told of 20 and more, by lane', async () => {
  const add = (lane: string, documents: number) =>
    db.query(
      `insert into docket.age_minutes (at, measure, lane, source_id, document_kind, bucket, documents)
       values (date_bin('1 minute', clock_timestamp(), timestamptz '2000-01-01 00:00:00+00'), 'whole', $1, 'carrier-a', 'unknown',
         docket.age_bucket('2026-01-01 00:00:00+00', '2026-01-01 00:11:00+00'), $2)
       on conflict (at, measure, lane, source_id, document_kind, bucket) do update set documents = excluded.documents`,
      [lane, documents],
    );
  await add('signature_critical', 19);
  await add('standard', 40);
  assert.deepEqual(await watch.round(), [], 'eleven minutes are no long time for others');
  await add('signature_critical', 20);
  assert.deepEqual(await watch.round(), ['opened warning slo:whole_signature_critical']);
  const [alert] = await watch.open();
  assert.ok(alert!.value >= 660 && alert!.value <= 660 * 1.1, String(alert!.value));
  await db.query('delete from docket.age_minutes');
});
