import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { refused } from './refused.ts';
import { openLease, Stage, type Open } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);

/** What can pass, by hand: seconds of the first delay, of the longest, and how many tries there are in all. */
const RETRIED: Record<string, [base: number, longest: number, tries: number]> = {
  OBJECT_NOT_FOUND: [2, 60, 3],
  STORE_UNAVAILABLE: [1, 300, 12],
  STORE_TIMEOUT: [1, 300, 12],
  KEY_UNAVAILABLE: [1, 300, 12],
  STORE_DENIED: [5, 300, 8],
  KEY_WRONG: [5, 300, 8],
  OCR_UNAVAILABLE: [1, 300, 12],
  OCR_TIMEOUT: [5, 300, 4],
  OCR_CRASHED: [2, 60, 2],
  OCR_OUT_OF_MEMORY: [5, 60, 2],
  OCR_ENGINE_FAILED: [2, 60, 4],
  TEMP_STORAGE_FAILED: [5, 300, 12],
  CHECK_TIMEOUT: [5, 60, 3],
  CHECK_CRASHED: [2, 60, 2],
  INTERNAL_ERROR: [5, 300, 4],
};

const FINAL = [
  'LOCATOR_INVALID',
  'LOCATOR_TAKEN',
  'KEY_MISSING',
  'OBJECT_DAMAGED',
  'OBJECT_SWAPPED',
  'SIZE_MISMATCH',
  'HASH_MISMATCH',
  'EMPTY_OBJECT',
  'UNKNOWN_FORMAT',
  'UNSUPPORTED_FORMAT',
  'UNSUPPORTED_CODEC',
  'TRUNCATED',
  'CORRUPT',
  'ENCRYPTED',
  'NO_PAGES',
  'TOO_MANY_PAGES',
  'TOO_MANY_PIXELS',
  'DECODER_WARNING',
  'PAGE_COUNT_MISMATCH',
  'VALIDATION_REJECTED',
  'CORRUPT_ENVELOPE',
  'SIGNATURE_INVALID',
  'SIGNATURE_MISSING',
  'SIGNATURE_PARTIAL',
  'SIGNATURE_WEAK',
  'SIGNATURE_UNSUPPORTED',
  'SIGNER_UNKNOWN',
  'SIGNER_EXPIRED',
  'SIGNER_REVOKED',
  'SIGNERS_TOO_FEW',
];

/** Codes that only the database itself gives. */
const OWN = [
  'RETRY_EXHAUSTED',
  'CRASH_LOOP',
  'WORKER_LOST',
  'WORKER_KILLED',
  'WORKER_STOPPING',
  'OCR_VERSION_WITHDRAWN',
  'REFERENCE_FORGED',
  'REFERENCE_EXPIRED',
  'REFERENCE_REPLAYED',
];

test('the failure codes are those of this file and no others', async () => {
  const { rows } = await stage.db.query<{ code: string }>('select code from docket.failure_codes order by 1');
  assert.deepEqual(
    rows.map((row) => row.code),
    [...Object.keys(RETRIED), ...FINAL, ...OWN].sort(),
  );
});

/** Seconds from the newest event of a job until it is due. */
async function delayOf(job: string): Promise<number> {
  const { rows } = await stage.db.query<{ seconds: number }>(
    'select extract(epoch from due_at - state_at)::float8 as seconds from docket.jobs where job_id = $1',
    [job],
  );
  return rows[0]!.seconds;
}

/** What was counted of an outage that may have begun is forgotten, as when another document succeeds: breakers.test.ts. */
async function somethingWorked(): Promise<void> {
  await stage.db.query('delete from docket.breakers');
}

async function isQueuedFor(job: string, task: string): Promise<boolean> {
  const { rows } = await stage.db.query<{ same: boolean }>(
    `select abs(extract(epoch from q.run_at - j.due_at)) < 0.01 as same
     from docket.jobs j
     join graphile_worker._private_jobs q on q.payload ->> 'job_id' = j.job_id::text
     join graphile_worker._private_tasks t on t.id = q.task_id and t.identifier = $2
     where j.job_id = $1 order by q.id desc limit 1`,
    [job, task],
  );
  return rows[0]?.same === true;
}

for (const [code, [base, longest, tries]] of Object.entries(RETRIED)) {
  test(`${code} is tried ${tries} times in all, later each time, and then names what it was`, async () => {
    const job = await stage.verified();
    for (let n = 1; n < tries; n += 1) {
      await somethingWorked();
      const answer = await stage.fail(await stage.begin(job, 'ocr'), code);
      assert.deepEqual([answer.outcome, answer.code], ['retry', code]);
      const seconds = await delayOf(job);
      const middle = Math.min(base * 2 ** (n - 1), longest);
      assert.ok(seconds > middle * 0.8 - 0.1 && seconds < middle * 1.2 + 0.1, `try ${n}: ${seconds} s`);
      assert.ok(await isQueuedFor(job, 'ocr'));
      const row = await stage.job(job);
      assert.deepEqual([row['state'], row['first_code'], row['last_code']], ['accepted', code, code]);
      // Not a moment earlier than it is due.
      await assert.rejects(stage.begin(job, 'ocr'), /not due/);
      await stage.hasten(job);
    }
    const answer = await stage.fail(await stage.begin(job, 'ocr'), code);
    assert.deepEqual([answer.outcome, answer.code, answer.run_at], ['quarantined', 'RETRY_EXHAUSTED', null]);
    const row = await stage.job(job);
    assert.deepEqual(
      [row['state'], row['first_code'], row['last_code'], row['next_task'], row['token']],
      ['quarantined', code, 'RETRY_EXHAUSTED', null, null],
    );
    const event = await stage.lastEvent(job);
    assert.equal(event['code'], 'RETRY_EXHAUSTED');
    assert.deepEqual(event.detail, { task: 'ocr', tries, code, first_code: code });
    const attempts = await stage.db.query<{ code: string; message: string; outcome: string }>(
      `select outcome, code, message from docket.attempts where job_id = $1 and task = 'ocr'`,
      [job],
    );
    assert.deepEqual(attempts.rows, Array(tries).fill({ outcome: 'failed', code, message: `seen: ${code}` }));
  });
}

test('a delay grows no further than the longest, give or take a fifth', async () => {
  const job = await stage.verified();
  await stage.db.query(`update docket.failure_codes set max_tries = 40 where code = 'STORE_TIMEOUT'`);
  const delays: number[] = [];
  for (let n = 0; n < 30; n += 1) {
    await somethingWorked();
    await stage.fail(await stage.begin(job, 'ocr'), 'STORE_TIMEOUT');
    delays.push(await delayOf(job));
    await stage.hasten(job);
  }
  await stage.db.query(`update docket.failure_codes set max_tries = 4 where code = 'STORE_TIMEOUT'`);
  const late = delays.slice(10);
  assert.ok(
    late.every((seconds) => seconds > 239 && seconds < 361),
    String(late),
  );
  assert.equal(new Set(late.map((seconds) => seconds.toFixed(2))).size > 10, true, 'jitter');
});

for (const code of FINAL) {
  test(`${code} quarantines at once`, async () => {
    const job = await stage.deliver();
    await stage.admit();
    const answer = await stage.fail(await stage.begin(job, 'hash'), code);
    assert.deepEqual([answer.outcome, answer.code], ['quarantined', code]);
    const row = await stage.job(job);
    assert.deepEqual([row['state'], row['first_code'], row['last_code']], ['quarantined', code, code]);
  });
}

test('each task is tried again as itself, from the state it began in', async () => {
  const hash = await stage.deliver();
  await stage.admit();
  const publish = await stage.validated();
  for (const [job, task, state] of [
    [hash, 'hash', 'accepted'],
    [publish, 'publish', 'validated'],
  ] as const) {
    await stage.fail(await stage.begin(job, task), 'INTERNAL_ERROR');
    const row = await stage.job(job);
    assert.deepEqual([row['state'], row['next_task']], [state, task]);
    assert.equal((await stage.events(job)).at(-1), `${task}_retry`);
  }
});

test('the first code is kept when another follows', async () => {
  const job = await stage.verified();
  await stage.fail(await stage.begin(job, 'ocr'), 'OCR_TIMEOUT');
  await stage.hasten(job);
  await stage.fail(await stage.begin(job, 'ocr'), 'STORE_TIMEOUT');
  await stage.hasten(job);
  await stage.fail(await stage.begin(job, 'ocr'), 'CORRUPT');
  const row = await stage.job(job);
  assert.deepEqual([row['first_code'], row['last_code']], ['OCR_TIMEOUT', 'CORRUPT']);
  assert.equal((await stage.lastEvent(job)).detail['first_code'], 'OCR_TIMEOUT');
});

test('tries of one task do not count against the next', async () => {
  const job = await stage.deliver();
  await stage.admit();
  for (let n = 0; n < 3; n += 1) {
    await stage.fail(await stage.begin(job, 'hash'), 'STORE_TIMEOUT');
    await stage.hasten(job);
    await somethingWorked();
  }
  await stage.verify(await stage.begin(job, 'hash'));
  assert.equal((await stage.fail(await stage.begin(job, 'ocr'), 'STORE_TIMEOUT')).outcome, 'retry');
  assert.equal((await stage.job(job))['tries'], 1);
});

test('a worker that is told to stop counts no try, however often, and the job is due at once', async () => {
  const job = await stage.verified();
  for (let n = 0; n < 8; n += 1) {
    const answer = await stage.fail(await stage.begin(job, 'ocr'), 'WORKER_STOPPING');
    assert.equal(answer.outcome, 'retry');
    assert.equal((await due(job)).isNow, true);
    assert.equal((await stage.job(job))['tries'], 0);
  }
});

test('what lost its worker goes before all that became due since it was, as often as it is tried again', async () => {
  const [first, second] = [await stage.verified(), await stage.verified()];
  for (let times = 1; times < 5; times += 1) {
    const { lease } = await openLease(database);
    const [open] = await stage.tryToBegin(first, 'ocr', lease);
    assert.equal(open?.code, null);
    await commands.closeLease(stage.worker, { lease });
    assert.ok((await due(first)).runAt < (await due(second)).runAt);
  }
});

/** When the newest message of a job is due, in milliseconds since 1970. */
async function due(job: string): Promise<{ runAt: number; isNow: boolean }> {
  const { rows } = await stage.db.query<{ runAt: number; isNow: boolean }>(
    `select (extract(epoch from run_at) * 1000)::float8 as "runAt", run_at <= clock_timestamp() as "isNow"
     from graphile_worker._private_jobs where payload ->> 'job_id' = $1 order by id desc limit 1`,
    [job],
  );
  return rows[0]!;
}

test('a job that loses five workers is quarantined as a crash loop', async () => {
  const job = await stage.verified();
  const outcomes: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const { lease } = await openLease(database);
    const [open] = await stage.tryToBegin(job, 'ocr', lease);
    assert.equal(open?.attempt, n + 2);
    await commands.closeLease(stage.worker, { lease });
    outcomes.push((await stage.events(job)).at(-1)!);
  }
  assert.deepEqual(outcomes, ['ocr_lost', 'ocr_lost', 'ocr_lost', 'ocr_lost', 'quarantined']);
  const row = await stage.job(job);
  assert.deepEqual([row['first_code'], row['last_code']], ['WORKER_LOST', 'CRASH_LOOP']);
  assert.equal((await stage.lastEvent(job))['code'], 'CRASH_LOOP');
});

test('an unknown failure code is refused and changes nothing', async () => {
  const open: Open = await stage.running();
  const before = await stage.job(open.job_id);
  const error = await refused('ZD022', stage.fail(open, 'BAD_LUCK'));
  assert.match(error.message, /"BAD_LUCK"/);
  assert.deepEqual(await stage.job(open.job_id), before);
});

test('each code counts for itself: a lost worker and other failures do not use up the tries of a new one', async () => {
  const job = await stage.verified();
  for (const code of ['OCR_CRASHED', 'OCR_ENGINE_FAILED', 'OCR_TIMEOUT', 'OCR_ENGINE_FAILED']) {
    assert.equal((await stage.fail(await stage.begin(job, 'ocr'), code)).outcome, 'retry');
    await stage.hasten(job);
  }
  const last = await stage.fail(await stage.begin(job, 'ocr'), 'OCR_CRASHED');
  assert.deepEqual([last.outcome, last.code], ['quarantined', 'RETRY_EXHAUSTED']);
  assert.equal((await stage.lastEvent(job)).detail['code'], 'OCR_CRASHED');
});
