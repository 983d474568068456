import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { createSender } from '../support/logins.ts';
import { refused } from './refused.ts';
import { comparison, reading, RereadStage } from './reread-stage.ts';
import { page, result } from './stage.ts';

const database = await createTestDatabase();
const rereads = await RereadStage.open(database);
const { stage } = rereads;
const { db } = stage;

async function trialRow(trial: number): Promise<Record<string, unknown>> {
  const { rows } = await db.query<Record<string, unknown>>(
    'select ocr_version, reason, started_by, documents, ended_at is not null as has_ended from docket.ocr_trials where trial_id = $1',
    [trial],
  );
  return rows[0]!;
}

test('a trial compares, and nothing published changes; it ends with its last document', async () => {
  const jobs = [await stage.published(), await stage.published(), await stage.published()];
  const before = await Promise.all(jobs.map((job) => stage.job(job)));
  const trial = await rereads.trial({ jobs, reason: 'a better model?' });
  const asked = {
    ocr_version: 2,
    reason: 'a better model?',
    started_by: rereads.operator.name,
    documents: 3,
  };
  const claimed = await rereads.claim();
  assert.deepEqual(
    claimed.map((one) => [one.job_id, one.is_trial]).sort(),
    jobs.map((job) => [job, true]).sort(),
  );
  assert.deepEqual(claimed[0]!.published, (JSON.parse(result()) as { pages: unknown }).pages);

  const [first, second, third] = claimed;
  const brought = { result: reading('Received in qood order'), comparison: comparison() };
  assert.equal((await rereads.record(first!, brought)).outcome, 'compared');
  const poor = { result: reading('x', { confidence: 20 }), comparison: comparison({ pages: [] }) };
  assert.equal((await rereads.record(second!, poor)).outcome, 'compared');
  assert.deepEqual(await trialRow(trial), { ...asked, has_ended: false });
  assert.equal((await rereads.record(third!, { code: 'CORRUPT' })).outcome, 'failed');
  assert.deepEqual(await trialRow(trial), { ...asked, has_ended: true });

  const { rows } = await db.query<Record<string, unknown>>(
    'select *, seconds_before > 0 and seconds_after > 0 as took_time from docket.trial_comparisons where trial_id = $1 order by compared_at',
    [trial],
  );
  const { compared_at: at, seconds_before: was, seconds_after: is, ...told } = rows[0]!;
  assert.ok(at && was && is);
  assert.deepEqual(told, {
    ...JSON.parse(comparison()),
    trial_id: trial,
    job_id: first!.job_id,
    published_sha256: before[jobs.indexOf(first!.job_id)]!['result_sha256'],
    config_sha256: rereads.config,
    failed_gates: [],
    took_time: true,
  });
  assert.deepEqual(
    rows.slice(1).map((row) => [row['job_id'], row['failed_gates']]),
    [[second!.job_id, ['VALIDATION_REJECTED']]],
  );

  for (const [index, job] of jobs.entries()) {
    const after = await stage.job(job);
    for (const column of ['seq', 'head', 'attempt', 'result_sha256', 'result_attempt'])
      assert.deepEqual(after[column], before[index]![column], column);
    const stored = await db.query('select from docket.results where job_id = $1', [job]);
    assert.equal(stored.rowCount, 1, 'nothing of what was read for a trial is kept');
  }
  assert.deepEqual(await rereads.findings(), []);
});

test('the gates of a trial are those of the configuration that is tried', async () => {
  const version = await rereads.addVersion({ unknown: { min_confidence: 95 } });
  const trial = await rereads.trial({ jobs: [await stage.published()], version });
  await rereads.record(await rereads.claimOne(), { result: result(), comparison: comparison() });
  const told = await db.query<{ failed_gates: string[] }>(
    'select failed_gates from docket.trial_comparisons where trial_id = $1',
    [trial],
  );
  assert.deepEqual(told.rows[0]!.failed_gates, ['VALIDATION_REJECTED']);
});

test('of a document that was superseded while it was read for a trial, what is compared is what was handed out', async () => {
  const job = await stage.published();
  const { result_sha256: before } = await stage.job(job);
  const trial = await rereads.trial({ jobs: [job] });
  const tried = await rereads.claimOne();
  await rereads.order([job]);
  const ordered = await rereads.claimOne();
  assert.equal(
    (await rereads.record(ordered, { result: reading('Another text of it') })).outcome,
    'superseded',
  );
  const brought = { result: reading('A third text of it'), comparison: comparison() };
  assert.equal((await rereads.record(tried, brought)).outcome, 'compared');
  const { rows } = await db.query<{ published_sha256: Buffer }>(
    'select published_sha256 from docket.trial_comparisons where trial_id = $1',
    [trial],
  );
  assert.deepEqual(rows[0]!.published_sha256, before);
  assert.equal(await rereads.text(job), 'Another text of it');
});

test('trials come before orders, and documents are drawn from every source and kind', async () => {
  const other = await createSender(database, 'carrier-b');
  for (let n = 0; n < 12; n += 1) await stage.published();
  const open = await stage.running({ documentKind: 'delivery_receipt' });
  await stage.record(
    open,
    reading('Received in good order, all of the 24 pallets, by the depot at the quay'),
  );
  await stage.publish(await stage.begin(open.job_id, 'publish'));
  const rare = open.job_id;
  const theirs = await stage.deliver({}, other);
  await stage.admit();
  await stage.verify(await stage.begin(theirs, 'hash'));
  await stage.record(await stage.begin(theirs, 'ocr'));
  await stage.publish(await stage.begin(theirs, 'publish'));
  await stage.validated();
  const ordered = await stage.published();
  await rereads.order([ordered]);

  const trial = await rereads.trial({ count: 6 });
  assert.equal((await trialRow(trial))['documents'], 6);
  const claimed = await rereads.claim(6);
  const drawn = claimed.map((one) => one.job_id);
  assert.ok(claimed.every((one) => one.is_trial));
  assert.ok(drawn.includes(rare) && drawn.includes(theirs), 'what is rare is tried too');
  for (const one of claimed) await rereads.record(one, { code: 'CORRUPT' });
  assert.equal((await trialRow(trial))['has_ended'], true);
  assert.equal((await rereads.claimOne()).job_id, ordered);
  const { rows } = await db.query<{ count: string }>(
    `select count(*) from docket.draw_trial(1000) d join docket.jobs j using (job_id) where j.state = 'published'`,
  );
  const published = await db.query(`select from docket.jobs where state = 'published'`);
  assert.equal(Number(rows[0]!.count), published.rowCount, 'where there are few, all of them');
});

test('a trial is refused without documents, with both or too many, and of no configuration', async () => {
  const job = await stage.published();
  const quarantined = await stage.quarantined();
  const refusals: [string, () => Promise<unknown>][] = [
    ['ZD085', () => rereads.trial({})],
    ['ZD085', () => rereads.trial({ jobs: [] })],
    ['ZD085', () => rereads.trial({ jobs: [job], count: 3 })],
    ['ZD085', () => rereads.trial({ count: 0 })],
    ['ZD085', () => rereads.trial({ count: 10_001 })],
    ['ZD085', () => rereads.trial({ jobs: [quarantined] })],
    ['ZD021', () => rereads.trial({ jobs: [job], reason: '' })],
    ['ZD082', () => rereads.trial({ jobs: [job], version: 4711 })],
  ];
  for (const [sqlstate, act] of refusals) await refused(sqlstate, act());
});

test('a comparison that is not of the documented shape is refused, and leaves nothing behind', async () => {
  const trial = await rereads.trial({ jobs: [await stage.published()] });
  const claimed = await rereads.claimOne();
  const shapes = ['{}', '[]', comparison({ words_kept: 'many' }), comparison({ pages: null })];
  for (const shape of shapes)
    await refused('ZD041', rereads.record(claimed, { result: result(), comparison: shape }));
  const twice = result({ pages: [page('one'), page('one')] });
  await refused('ZD041', rereads.record(claimed, { result: twice, comparison: comparison() }));
  const { rowCount } = await db.query('select from docket.trial_comparisons where trial_id = $1', [trial]);
  assert.equal(rowCount, 0);
  assert.equal((await rereads.record(claimed, { code: 'INTERNAL_ERROR' })).outcome, 'retry');
});
