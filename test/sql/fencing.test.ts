import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { refused } from './refused.ts';
import { page, result, Stage, type Candidate, type Open } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const evidenceOwner = await createLogin(database, 'docket_evidence_owner');

/** Everything the database knows of a job, to see that nothing changed. */
async function picture(job: string): Promise<unknown> {
  const tables = ['docket.jobs', 'docket.attempts', 'docket.evidence', 'docket.results', 'docket.pages'];
  const seen = await Promise.all(
    [...tables, 'docket_audit.events'].map((table) =>
      stage.db.query<{ row: string }>(`select t::text as row from ${table} t where job_id = $1 order by 1`, [
        job,
      ]),
    ),
  );
  return seen.map((answer) => answer.rows);
}

/** The wrong ways to name an attempt. */
const stale = (open: Open): Open[] => [
  { ...open, token: randomUUID() },
  { ...open, attempt: open.attempt + 1 },
  { ...open, attempt: open.attempt - 1 },
];

for (const [task, prepare, finish] of [
  ['hash', () => stage.deliver(), (open: Open) => stage.verify(open)],
  ['ocr', () => stage.verified(), async (open: Open) => (await stage.record(open)).outcome],
  ['publish', () => stage.validated(), (open: Open) => stage.publish(open)],
] as const) {
  test(`whoever names another attempt or token at ${task} is told stale and changes nothing`, async () => {
    const job = await prepare();
    if (task === 'hash') await stage.admit();
    const open = await stage.begin(job, task);
    const before = await picture(job);
    for (const wrong of stale(open)) {
      assert.equal(await finish(wrong), 'stale');
      assert.equal((await stage.fail(wrong, 'CORRUPT')).outcome, 'stale');
      assert.deepEqual(await picture(job), before);
    }
    assert.notEqual(await finish(open), 'stale');
  });

  test(`an attempt at ${task} that has ended can neither be finished nor failed again`, async () => {
    const job = await prepare();
    if (task === 'hash') await stage.admit();
    const open = await stage.begin(job, task);
    await stage.fail(open, 'INTERNAL_ERROR');
    const before = await picture(job);
    assert.equal(await finish(open), 'stale');
    assert.equal((await stage.fail(open, 'CORRUPT')).outcome, 'stale');
    assert.deepEqual(await picture(job), before);
  });
}

test('a task is begun by one worker only, and only when it is due', async () => {
  const job = await stage.verified();
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => stage.tryToBegin(job, 'ocr')));
  assert.equal(answers.flat().filter((row) => row.code === null).length, 1);
  for (const task of ['hash', 'publish', 'ocr']) {
    const again = await stage.tryToBegin(job, task);
    assert.deepEqual(
      again.filter((row) => row.code === null),
      [],
    );
  }
});

test('nothing is begun under a lease that has ended or never was', async () => {
  const job = await stage.verified();
  await refused('ZD040', stage.tryToBegin(job, 'ocr', randomUUID()));
  const before = await picture(job);
  await refused('ZD040', commands.bindPools(stage.worker, { lease: randomUUID(), poolIds: ['x'] }));
  assert.deepEqual(await picture(job), before);
});

test('a stale and a live attempt at the same job in one call: only the live one counts', async () => {
  const job = await stage.deliver();
  await stage.admit();
  const late = await stage.begin(job, 'hash');
  await stage.fail(late, 'WORKER_STOPPING');
  const live = await stage.begin(job, 'hash');
  const both = {
    jobs: [job, job],
    attempts: [late.attempt, live.attempt],
    tokens: [late.token, live.token],
  };
  const delivery = String((live.candidates as Candidate[])[0]!.delivery_id);
  const verified = await commands.recordVerified(stage.worker, {
    ...both,
    deliveries: ['0', delivery],
    mediaTypes: ['wrong/late', 'image/png'],
    signatures: [null, null],
  });
  assert.deepEqual(
    verified.map((row) => row.outcome),
    ['stale', 'verified'],
  );
  const kept = await stage.db.query('select media_type from docket.evidence where job_id = $1', [job]);
  assert.deepEqual(kept.rows, [{ media_type: 'image/png' }]);

  const lateOcr = await stage.begin(job, 'ocr');
  await stage.fail(lateOcr, 'WORKER_STOPPING');
  const liveOcr = await stage.begin(job, 'ocr');
  const recorded = await commands.recordResults(stage.worker, {
    jobs: [job, job],
    attempts: [lateOcr.attempt, liveOcr.attempt],
    tokens: [lateOcr.token, liveOcr.token],
    configs: [stage.config, stage.config],
    results: [result({ pages: [page('of the late one')] }), result()],
  });
  assert.deepEqual(recorded.map((row) => row.outcome).sort(), ['stale', 'validated']);
  const stored = await stage.db.query('select text from docket.pages where job_id = $1', [job]);
  assert.deepEqual(stored.rows, [{ text: 'Received in good order' }]);

  const latePublish = await stage.begin(job, 'publish');
  await stage.fail(latePublish, 'WORKER_STOPPING');
  const livePublish = await stage.begin(job, 'publish');
  const failed = await commands.failAttempts(stage.worker, {
    jobs: [job, job],
    attempts: [latePublish.attempt, livePublish.attempt],
    tokens: [latePublish.token, livePublish.token],
    codes: ['CORRUPT', 'INTERNAL_ERROR'],
    messages: ['late', 'live'],
  });
  assert.deepEqual(
    failed.map((row) => [row.outcome, row.code]),
    [
      ['stale', null],
      ['retry', 'INTERNAL_ERROR'],
    ],
  );
  await stage.hasten(job);
  const last = await stage.begin(job, 'publish');
  const published = await commands.publishResults(stage.worker, {
    jobs: [job, job],
    attempts: [latePublish.attempt, last.attempt],
    tokens: [latePublish.token, last.token],
  });
  assert.deepEqual(
    published.map((row) => row.outcome),
    ['stale', 'published'],
  );
});

test('a late worker with the very result that is stored is noted as a duplicate and changes no state', async () => {
  const open = await stage.running();
  await stage.record(open);
  await stage.publish(await stage.begin(open.job_id, 'publish'));
  const before = await stage.job(open.job_id);
  assert.deepEqual(await stage.record(open), {
    job_id: open.job_id,
    attempt: open.attempt,
    outcome: 'duplicate',
    code: null,
    next_attempt: null,
    next_token: null,
    seconds: null,
  });
  const after = await stage.job(open.job_id);
  assert.deepEqual([after['state'], after['result_sha256']], ['published', before['result_sha256']]);
  const event = await stage.lastEvent(open.job_id);
  assert.deepEqual(
    [event['event'], event['from_state'], event['to_state']],
    ['result_duplicate', 'published', 'published'],
  );
  assert.equal(event.detail['result_sha256'], (before['result_sha256'] as Buffer).toString('hex'));
  const rows = await stage.db.query('select from docket.results where job_id = $1', [open.job_id]);
  assert.equal(rows.rows.length, 1);
});

test('a late worker with another result is told stale, and its result is not kept', async () => {
  const open = await stage.running();
  await stage.record(open);
  const before = await picture(open.job_id);
  const answer = await stage.record(open, result({ pages: [page('something else')] }));
  assert.equal(answer.outcome, 'stale');
  assert.deepEqual(await picture(open.job_id), before);
});

test('release goes through admission again, needs a reason, and clears the codes', async () => {
  const job = await stage.quarantined();
  const release = (reason: string, id = job) =>
    evidenceOwner.pool.query('select * from docket.release_quarantined(array[$1]::uuid[], $2)', [id, reason]);
  await refused('ZD021', release('  '));
  await refused('ZD020', release('because', randomUUID()));
  assert.deepEqual((await release('scanner repaired')).rows, [{ job_id: job, state: 'accepted' }]);
  await refused('ZD002', release('twice'));

  const row = await stage.job(job);
  assert.deepEqual(
    [row['state'], row['next_task'], row['first_code'], row['last_code'], row['tries']],
    ['accepted', null, null, null, 0],
  );
  const event = await stage.lastEvent(job);
  assert.deepEqual([event['actor'], event['reason']], [evidenceOwner.name, 'scanner repaired']);
  await assert.rejects(stage.begin(job, 'hash'), /not due/);
  assert.equal(await stage.admit(), 1);
  await stage.verify(await stage.begin(job, 'hash'));
  await stage.record(await stage.begin(job, 'ocr'));
  assert.equal(await stage.publish(await stage.begin(job, 'publish')), 'published');
});
