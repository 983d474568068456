import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, createSender } from '../support/logins.ts';
import { disposeOfSome } from './custody-of-many.ts';
import { refused } from './refused.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const operator = await createLogin(database, 'docket_operator');
const other = await createSender(database, 'carrier-b');

const whyJob = (job: string) => commands.whyJob(operator.pool, { jobId: job });
const whySource = (source = 'carrier-a') => commands.whySource(operator.pool, { sourceId: source });
const causesOf = (rows: readonly { cause: string }[]) => rows.map(({ cause }) => cause);
const act = (text: string, values: unknown[] = []) => operator.pool.query(text, values);

/** Whatever is under way or waits is out of the way. */
async function settle(): Promise<void> {
  await stage.db.query('delete from docket.admission_gates');
  await stage.db.query('delete from docket.flow_limits');
  await stage.admit();
}

/** What a sender is shown of its delivery. */
async function shown(job: string): Promise<{ waits_for: string | null; expected_at: string | null }> {
  const { rows } = await stage.sender.pool.query<{ waits_for: string | null; expected_at: string | null }>(
    'select waits_for, expected_at from docket.my_submissions where job_id = $1',
    [job],
  );
  return rows[0]!;
}

test('a document that nothing holds up waits for its turn, which may come at once', async () => {
  const job = await stage.deliver();
  const [turn, ...none] = await whyJob(job);
  assert.deepEqual([turn?.cause, none], ['turn', []]);
  assert.match(turn!.fact, /lane standard; 0 documents of its source and 0 of others go first/);
  assert.match(turn!.next_command, new RegExp(`^docket prioritise ${job} --lane signature_critical`));
  const { waits_for: waits, expected_at: at } = await shown(job);
  assert.equal(waits, 'its turn');
  assert.ok(Math.abs(Date.parse(at!) - Date.now()) < 60_000);
  await settle();
});

test('a closed gate is named with who closed it and why, until it is opened; the sender is told, not why', async () => {
  const job = await stage.deliver();
  for (const target of ['all', 'source:carrier-a', 'kind:unknown']) {
    await act('select docket.close_admission($1, $2)', [target, 'the scanner is mended']);
    const gate = (await whyJob(job)).find(({ cause }) => cause === 'gate')!;
    assert.match(gate.fact, /: the scanner is mended$/);
    assert.match(gate.would_help!, new RegExp(`^${operator.name} closed it`));
    assert.equal(gate.next_command, `docket admission open ${target} --reason '...'`);
    assert.deepEqual(await shown(job), { waits_for: 'admission, which is closed', expected_at: null });
    assert.ok(causesOf(await whySource()).includes('gate'), target);
    await act('select docket.open_admission($1, $2)', [target, 'it is mended']);
  }
  assert.deepEqual(causesOf(await whyJob(job)), ['turn']);
  await settle();
});

test('at the rate of its source the expected time is what arithmetic says', async () => {
  // 6 a minute, 2 at once: of ten that wait, two enter now; the next ones at 10 s, 20 s, …, so the tenth at 80 s.
  await act(
    `select docket.set_flow_limit('source:carrier-a', '{"documents_per_minute": 6, "documents_burst": 2}', 'a test')`,
  );
  const jobs: string[] = [];
  for (let n = 0; n < 10; n += 1) jobs.push(await stage.deliver());
  const inSeconds = async (job: string) =>
    (
      await stage.db.query<{ seconds: number }>(
        `select extract(epoch from expected_at - clock_timestamp())::float8 as seconds from docket.place_in_line($1)`,
        [job],
      )
    ).rows[0]!.seconds;
  // The clock goes on between the first question and the last.
  const near = (seconds: number, expected: number) =>
    assert.ok(seconds > expected - 0.5 && seconds <= expected, `${seconds}, not ${expected}`);
  near(await inSeconds(jobs[9]!), 80);
  near(await inSeconds(jobs[4]!), 30);
  const [rate] = await whyJob(jobs[9]!);
  assert.equal(rate?.cause, 'rate');
  assert.match(rate.fact, /at the rate of source:carrier-a; 9 documents of its source/);
  assert.equal(
    (await shown(jobs[9]!)).waits_for,
    'its turn at the rate of its source; 9 documents of its source go first',
  );
  const ofSource = (await whySource()).find(({ cause }) => cause === 'rate')!;
  assert.match(
    ofSource.fact,
    /^10 documents wait in the lane standard, for their turn at the rate of source:carrier-a\./,
  );

  assert.equal(await stage.admit(), 2);
  // Two tokens are spent; the first of the eight that are left enters at 10 s, the last at 80 s.
  near(await inSeconds(jobs[9]!), 80);
  near(await inSeconds(jobs[2]!), 10);
  await settle();
});

test('where memory is taken by documents before it, that is said', async () => {
  await act(`select docket.set_flow_limit('source:carrier-a', '{"max_in_flight_mb": 200}', 'a test')`);
  await stage.deliver();
  assert.equal(await stage.admit(), 1);
  const job = await stage.deliver();
  const [memory] = await whyJob(job);
  assert.equal(memory?.cause, 'memory');
  assert.equal(await stage.admit(), 0);
  await settle();
});

test('senders see what only their own documents wait for', async () => {
  const job = await stage.deliver({}, other);
  const { rows } = await stage.sender.pool.query<{ at: string | null; waits: string | null }>(
    'select docket.expected_admission($1) as at, docket.waits_for($1) as waits',
    [job],
  );
  assert.deepEqual(rows, [{ at: null, waits: null }]);
  await refused('42501', stage.sender.pool.query('select * from docket.why_job($1)', [job]));
  const own = await other.pool.query<{ waits: string | null }>('select docket.waits_for($1) as waits', [job]);
  assert.equal(own.rows[0]!.waits, 'its turn');
  await settle();
});

test('what runs is said with its worker, what is to be tried again with the failure, what is due with the others', async () => {
  const open = await stage.running();
  const [running] = await whyJob(open.job_id);
  assert.equal(running?.cause, 'running');
  assert.match(
    running.fact,
    new RegExp(`^The task ocr runs on the worker test/${process.pid}, attempt 2, until `),
  );
  await stage.fail(open, 'OCR_TIMEOUT');
  const [retry, ...waiting] = await whyJob(open.job_id);
  assert.equal(retry?.cause, 'retry');
  assert.equal(causesOf(waiting).includes('due'), false);
  assert.match(retry.fact, /^The task ocr is tried again at .*, after OCR_TIMEOUT: /);
  await stage.hasten(open.job_id);
  const [due] = await whyJob(open.job_id);
  assert.equal(due?.cause, 'due');
  const { rows } = await stage.db.query<{ n: number }>(
    `select count(*)::int as n from docket.jobs
     where next_task = 'ocr' and token is null and job_id <> $1 and (due_at is null or due_at <= clock_timestamp())`,
    [open.job_id],
  );
  assert.match(due.fact, new RegExp(`^The task ocr is due; so are ${rows[0]!.n} of other documents, `));
  assert.ok(causesOf(await whySource()).includes('under_way'));
});

test('published and quarantined documents say so, with the remedy and who can apply it', async () => {
  const published = await stage.published();
  assert.deepEqual(causesOf(await whyJob(published)), ['published']);
  const corrupt = await stage.quarantined();
  const [evidential] = await whyJob(corrupt);
  assert.match(evidential!.fact, /^It is quarantined for CORRUPT: The file is damaged\.$/);
  assert.deepEqual(
    [evidential!.cause, evidential!.would_help, evidential!.next_command],
    ['quarantined', 'Scan again, or send an undamaged copy.', `docket quarantine show ${corrupt}`],
  );
  let open = await stage.running();
  for (let tries = 1; tries < 4; tries += 1) {
    await stage.fail(open, 'OCR_TIMEOUT');
    await stage.hasten(open.job_id);
    open = await stage.begin(open.job_id, 'ocr');
  }
  assert.equal((await stage.fail(open, 'OCR_TIMEOUT')).outcome, 'quarantined');
  const [transport] = await whyJob(open.job_id);
  assert.match(transport!.fact, /^It is quarantined for RETRY_EXHAUSTED after OCR_TIMEOUT: /);
  assert.equal(transport!.next_command, `docket redrive OCR_TIMEOUT --reason '...'`);
  const causes = (await whySource()).filter(({ cause }) => cause === 'quarantined');
  assert.deepEqual(causes.map(({ fact }) => fact.split(':')[0]).sort(), [
    '1 document is quarantined for CORRUPT',
    '1 document is quarantined for OCR_TIMEOUT',
  ]);
});

test('without slots in its pool, a document that is due says so, and by which change', async () => {
  const job = await stage.verified();
  const { rows } = await act(`select change_id from docket.set_pool_limit('ocr', 0, null, 'to cool down')`);
  const { change_id: change } = rows[0] as { change_id: string };
  const pool = (await whyJob(job)).find(({ cause }) => cause === 'pool')!;
  assert.equal(pool.next_command, `docket undo ${change} --reason '...'`);
  await act('select docket.undo_change($1, $2)', [change, 'cool again']);
  assert.equal(causesOf(await whyJob(job)).includes('pool'), false);
});

test('failures of the way that ended in one of the document are not to be redriven', async () => {
  let open = await stage.running();
  let { outcome } = await stage.fail(open, 'OCR_TIMEOUT');
  for (let tries = 1; outcome === 'retry' && tries < 10; tries += 1) {
    await stage.hasten(open.job_id);
    open = await stage.begin(open.job_id, 'ocr');
    ({ outcome } = await stage.fail(open, 'OBJECT_NOT_FOUND'));
  }
  assert.equal(outcome, 'quarantined');
  const [reason] = await whyJob(open.job_id);
  assert.match(
    reason!.fact,
    /^It is quarantined for RETRY_EXHAUSTED after OCR_TIMEOUT and at last OBJECT_NOT_FOUND: /,
  );
  assert.equal(reason!.next_command, `docket quarantine show ${open.job_id}`);
  const redriven = await act(`select * from docket.redrive('OCR_TIMEOUT', $1, 1000, 'a test')`, [
    reason!.since,
  ]);
  assert.equal(redriven.rowCount, 0);
  assert.ok(
    (await whySource()).some(({ fact }) =>
      fact.startsWith('1 document is quarantined for OBJECT_NOT_FOUND: '),
    ),
  );
});

test('what waits for admission says that nothing is recognised, whatever else is under way', async () => {
  await stage.validated();
  await stage.verified();
  const job = await stage.deliver();
  await act(`select docket.set_pool_limit('ocr', 0, null, 'to cool down')`);
  const halted = (rows: readonly { cause: string; fact: string }[]) =>
    rows.filter(({ cause }) => cause === 'pool').map(({ fact }) => fact);
  assert.deepEqual(halted(await whyJob(job)), ['No process has a slot in the pool ocr.']);
  assert.deepEqual(halted(await whySource()), ['No process has a slot in the pool ocr.']);
  await act(`select docket.set_pool_limit('ocr', null, null, 'cool again')`);
  assert.deepEqual([halted(await whyJob(job)), halted(await whySource())], [[], []]);
  await settle();
});

test('a host that takes no new work is named with why, until it does again', async () => {
  const job = await stage.verified();
  const report = (heldBack: string | null) =>
    commands.reportSlots(stage.worker, {
      ...{ lease: stage.lease, pools: ['ocr'], wanted: [2], running: [0], heldBack: [heldBack] },
    });
  await report('memory');
  const held = (await whyJob(job)).find(({ cause }) => cause === 'held_back')!;
  assert.equal(held.fact, `The worker test/${process.pid} takes no new work of the pool ocr: memory.`);
  assert.match(held.would_help!, /^Free memory on its host/);
  assert.ok(causesOf(await whySource()).includes('held_back'));
  await report(null);
  assert.equal(causesOf(await whyJob(job)).includes('held_back'), false);
  await stage.db.query('delete from docket.slot_grants');
});

/** Replays a document, as a worker would that finds its bytes as they were, or finds this. */
async function replay(job: string, code: string | null = null): Promise<void> {
  const [started] = await commands.replayDocuments(operator.pool, {
    ...{ jobs: [job], isReread: false, reason: 'a test' },
  });
  await stage.db.query(`update docket.replay_tasks set due_at = '2026-01-01'`);
  await commands.claimReplayTasks(stage.worker, { limit: 100 });
  await commands.recordReplays(stage.worker, {
    ...{ replays: [started!.replay_id], jobs: [job], codes: [code], found: [code && '00'.repeat(32)] },
    ...{ signatures: [null], configs: [stage.config], readings: [null] },
  });
}

test('a published document whose newest replay failed is disputed, until one passes', async () => {
  const job = await stage.published();
  await replay(job, 'HASH_MISMATCH');
  const [published, disputed, ...others] = await whyJob(job);
  assert.deepEqual([published!.cause, disputed!.cause, others], ['published', 'disputed', []]);
  assert.match(disputed!.fact, /^Its newest replay failed: /);
  const { at } = (await stage.lastEvent(job)) as unknown as { at: string };
  const after = Date.parse(disputed!.since!) - Date.parse(at);
  assert.ok(after >= 0 && after < 1_000, String(after));
  assert.equal(disputed!.next_command, 'docket replay list');
  await replay(job);
  assert.deepEqual(causesOf(await whyJob(job)), ['published']);
});

test('of a document that was disposed of only the log tells, and its source does not wait for it', async () => {
  const countOf = async () => (await whySource()).filter(({ fact }) => fact.includes('HASH_MISMATCH')).length;
  const before = await countOf();
  const gone = await disposeOfSome(stage, 1);
  const [disposed, ...others] = await whyJob(gone[0]!);
  assert.deepEqual([disposed!.cause, disposed!.would_help, others], ['disposed', null, []]);
  assert.equal(disposed!.next_command, `docket timeline ${gone[0]}`);
  assert.equal(await countOf(), before);
});

test('what is not there, and a source of which nothing waits', async () => {
  await refused('ZD020', whyJob('00000000-0000-8000-8000-000000000000'));
  await refused('ZD023', whySource('nobody'));
  await createSender(database, 'carrier-idle');
  assert.deepEqual(
    causesOf(await whySource('carrier-idle')).filter((cause) => cause !== 'worker'),
    [],
  );
  await stage.db.query(`select docket.set_source_enabled('carrier-idle', false)`);
  assert.ok(causesOf(await whySource('carrier-idle')).includes('disabled'));
});

test('where nobody works, that is the reason', async () => {
  const job = await stage.deliver();
  await stage.db.query(`update docket.leases set closed_at = clock_timestamp(), close_reason = 'lost'`);
  const [worker] = (await whyJob(job)).filter(({ cause }) => cause === 'worker');
  assert.equal(worker?.next_command, 'docket worker');
  assert.equal((await shown(job)).waits_for, 'a worker, as none is at work');
});
