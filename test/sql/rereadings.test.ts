import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { refused } from './refused.ts';
import { reading, RereadStage } from './reread-stage.ts';

const database = await createTestDatabase();
const rereads = await RereadStage.open(database);
const { stage } = rereads;
const { db } = stage;

test('what is read again supersedes what is published, by an event, and both stay stored and verified', async () => {
  const job = await stage.published();
  const before = await stage.job(job);
  const [id] = await rereads.order([job], 2, 'a better model');
  const ordered = await stage.lastEvent(job);
  assert.deepEqual(
    [ordered['event'], ordered['actor'], ordered['reason'], ordered['detail']],
    [
      'reread_ordered',
      rereads.operator.name,
      'a better model',
      { rereading: Number(id), ocr_version: 2, instead_of: null },
    ],
  );
  const claimed = await rereads.claimOne();
  assert.deepEqual(
    [claimed.job_id, claimed.ocr_version, claimed.is_trial, claimed.published, claimed.code, claimed.attempt],
    [job, 2, false, null, null, 1],
  );
  assert.deepEqual(claimed.sha256, before['sha256']);
  assert.deepEqual(await rereads.record(claimed, { result: reading('Received in better order') }), {
    rereading_id: id,
    attempt: 1,
    outcome: 'superseded',
    code: null,
  });

  const after = await stage.job(job);
  assert.equal(after['state'], 'published');
  assert.equal(after['result_attempt'], Number(before['attempt']) + 1);
  assert.equal(await rereads.text(job), 'Received in better order');
  const { event, actor, attempt, detail } = await stage.lastEvent(job);
  assert.deepEqual([event, actor, attempt], ['superseded', 'docket_worker', after['result_attempt']]);
  assert.deepEqual(detail, {
    result_sha256: (after['result_sha256'] as Buffer).toString('hex'),
    config_sha256: rereads.config.toString('hex'),
    pages: 1,
    characters: 21,
    confidence: 90,
    supersedes: (before['result_sha256'] as Buffer).toString('hex'),
    rereading: Number(id),
    ocr_version: 2,
  });
  assert.deepEqual(await rereads.rereading(id!), {
    outcome: 'superseded',
    code: null,
    tries: 1,
    attempts: ['done'],
    is_due: null,
  });
  const { rows } = await db.query(
    `select a.task, a.outcome, a.ocr_version, a.ended_at is not null as is_closed, p.text
     from docket.results r join docket.attempts a using (job_id, attempt)
     join docket.pages p using (job_id, result_sha256) where r.job_id = $1 order by r.attempt`,
    [job],
  );
  const read = { task: 'ocr', outcome: 'done', is_closed: true };
  assert.deepEqual(rows, [
    { ...read, ocr_version: 1, text: 'Received in good order' },
    { ...read, ocr_version: 2, text: 'Received in better order' },
  ]);
  assert.deepEqual(await rereads.findings(), []);
  assert.deepEqual(
    (await db.query('select * from docket.stored_differences($1)', [job])).rows,
    [],
    'a replay agrees',
  );
});

test('a result that was superseded may come back, under the attempt that made it first', async () => {
  const job = await stage.published();
  const first = await stage.job(job);
  assert.equal(await rereads.reread(job, { result: reading('Read otherwise') }), 'superseded');
  const again = { result: reading('Received in good order'), config: stage.config };
  assert.equal(await rereads.reread(job, again, 1), 'superseded');
  const back = await stage.job(job);
  assert.deepEqual(back['result_sha256'], first['result_sha256']);
  assert.equal(back['result_attempt'], first['result_attempt']);
  assert.equal(await rereads.reread(job, again, 1), 'unchanged');
  assert.deepEqual((await stage.events(job)).slice(-6), [
    'reread_ordered',
    'superseded',
    'reread_ordered',
    'superseded',
    'reread_ordered',
    'reread_ended',
  ]);
  assert.deepEqual(await rereads.findings(), []);
});

test('what the gates refuse changes nothing: the log says why, and nothing of it is kept', async () => {
  const job = await stage.published();
  const before = await stage.job(job);
  assert.equal(await rereads.reread(job, { result: reading('x', { confidence: 20 }) }), 'rejected');
  const { event, code, detail } = await stage.lastEvent(job);
  assert.deepEqual([event, code], ['reread_ended', 'VALIDATION_REJECTED']);
  const { outcome, reasons } = detail as { outcome: string; reasons: string[] };
  assert.equal(outcome, 'rejected');
  assert.ok(reasons.length > 0 && reasons.every((reason) => reason.includes('needs')), reasons.join());
  const after = await stage.job(job);
  for (const column of ['result_sha256', 'result_attempt', 'attempt'])
    assert.deepEqual(after[column], before[column], column);
  const stored = await db.query('select from docket.results where job_id = $1', [job]);
  assert.equal(stored.rowCount, 1);
  assert.deepEqual(await rereads.findings(), []);
});

test('only what was published when the attempt began is superseded', async () => {
  const job = await stage.published();
  const [id] = await rereads.order([job]);
  const slow = await rereads.claimOne();
  // another result takes its place meanwhile, by whatever way
  const { rows } = await db.query<{ id: string }>(
    `insert into docket.rereadings (job_id, ocr_version, reason, ordered_by) values ($1, 2, 'another', 'test') returning rereading_id as id`,
    [job],
  );
  const quick = await rereads.claimOne();
  assert.equal(quick.rereading_id, rows[0]!.id);
  assert.equal((await rereads.record(quick, { result: reading('The quick one') })).outcome, 'superseded');
  assert.equal((await rereads.record(slow, { result: reading('The slow one') })).outcome, 'overtaken');
  assert.equal(await rereads.text(job), 'The quick one');
  assert.equal((await rereads.rereading(id!)).outcome, 'overtaken');
  assert.deepEqual((await stage.lastEvent(job)).detail['outcome'], 'overtaken');
  assert.deepEqual(await rereads.findings(), []);
});

test('a later order takes the place of one that has not ended, whatever a worker makes of that', async () => {
  const job = await stage.published();
  const [first] = await rereads.order([job]);
  const claimed = await rereads.claimOne();
  const [second] = await rereads.order([job], 1);
  assert.deepEqual((await stage.lastEvent(job)).detail, {
    rereading: Number(second),
    ocr_version: 1,
    instead_of: Number(first),
  });
  assert.deepEqual((await rereads.rereading(first!)).outcome, 'overtaken');
  assert.equal((await rereads.record(claimed, { result: reading('By the first') })).outcome, 'stale');
  const next = await rereads.claimOne();
  assert.deepEqual([next.rereading_id, next.ocr_version], [second, 1]);
  assert.equal((await rereads.record(next, { code: 'CORRUPT' })).outcome, 'failed');
});

test('by a configuration that was rolled back nothing is read any more, not even what is under way', async () => {
  const version = await rereads.addVersion();
  const [job, later] = [await stage.published(), await stage.published()];
  await rereads.order([job], version);
  const underWay = await rereads.claimOne();
  const [waits] = await rereads.order([later], version);
  await rereads.withdraw(version);
  const brought = await rereads.record(underWay, { result: reading('By what was rolled back') });
  assert.deepEqual([brought.outcome, brought.code], ['failed', 'OCR_VERSION_WITHDRAWN']);
  const told = await rereads.claimOne();
  assert.deepEqual([told.rereading_id, told.code], [waits, 'OCR_VERSION_WITHDRAWN']);
  assert.equal((await rereads.record(told, { code: told.code! })).outcome, 'failed');
  assert.equal((await stage.lastEvent(later)).detail['code'], 'OCR_VERSION_WITHDRAWN');
  await refused('ZD084', rereads.order([job], version));
});

test('all that one configuration read is ordered bit by bit, until nothing is left', async () => {
  const [from, to] = [await rereads.addVersion(), await rereads.addVersion()];
  const jobs = [await stage.published(), await stage.published(), await stage.published()].sort();
  for (const [index, job] of jobs.entries())
    await rereads.reread(job, { result: reading(`Read by another, ${index}`) }, from);
  assert.deepEqual((await rereads.orderOf(from, to, 2)).length, 2);
  const claimed = await rereads.claim();
  assert.deepEqual(claimed.map((one) => one.job_id).sort(), jobs.slice(0, 2));
  assert.equal(
    (await rereads.orderOf(from, to, 2)).length,
    1,
    'those that have an order already are left out',
  );
  const [last] = await rereads.claim();
  assert.equal(last!.job_id, jobs[2]);
  assert.deepEqual(await rereads.orderOf(from, to), []);
  const outcomes = [];
  for (const [index, one] of [...claimed, last!].entries()) {
    const brought = index === 0 ? { code: 'CORRUPT' } : { result: reading(`By the last, ${index}`) };
    outcomes.push((await rereads.record(one, brought)).outcome);
  }
  assert.deepEqual(outcomes, ['failed', 'superseded', 'superseded']);
  assert.equal((await rereads.orderOf(from, to)).length, 1, 'what failed is ordered again');
  assert.equal((await rereads.record(await rereads.claimOne(), { code: 'CORRUPT' })).outcome, 'failed');
  const first = await stage.published();
  const { rows } = await db.query<{ jobs: string[] }>(
    `select array_agg(r.job_id) as jobs from docket.rereadings r where r.rereading_id = any ($1::bigint[])`,
    [await rereads.orderOf(1, to)],
  );
  assert.ok(rows[0]!.jobs.includes(first) && !rows[0]!.jobs.includes(jobs[1]!));
  for (const one of await rereads.claim()) await rereads.record(one, { code: 'CORRUPT' });
  assert.equal((await rereads.claim()).length, 0);
});

test('orders are refused for what is not there, not published, or not named, and without a reason', async () => {
  const job = await stage.published();
  const validated = await stage.validated();
  const refusals: [string, () => Promise<unknown>][] = [
    ['ZD020', () => rereads.order(['00000000-0000-8000-8000-000000000001'])],
    ['ZD021', () => rereads.order([job], 2, ' ')],
    ['ZD082', () => rereads.order([job], 4711)],
    ['ZD082', () => rereads.orderOf(4711, 2)],
    ['ZD085', () => rereads.order([validated])],
    ['ZD085', () => rereads.order([])],
    ['ZD085', () => rereads.orderOf(1, 2, 0)],
  ];
  for (const [sqlstate, act] of refusals) await refused(sqlstate, act());
});
