import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, createSender } from '../support/logins.ts';
import { refused } from './refused.ts';
import { randomHash, Stage } from './stage.ts';

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

/** What check_submission answers for a row of carrier-a. */
async function check(changes: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const row = {
    source_id: 'carrier-a',
    sha256: randomHash().toString('hex'),
    locator: 'memory:x',
    size_bytes: 1,
    media_type: 'image/png',
    captured_at: '2026-01-01T00:00:00Z',
    ...changes,
  };
  const { rows } = await stage.sender.pool.query<Record<string, unknown>>(
    'select * from docket.check_submission($1)',
    [JSON.stringify(row)],
  );
  return rows[0]!;
}

test('a dry run answers as the delivery would, and nothing stays of it', async () => {
  const counted = async () =>
    (
      await stage.db.query<{ n: number }>(
        `select ((select count(*) from docket.deliveries) + (select count(*) from docket.jobs)
           + (select count(*) from docket_audit.events) + (select count(*) from docket.receipt_orders))::int as n`,
      )
    ).rows[0]!.n;
  const before = await counted();
  await act(
    `select docket.set_flow_limit('source:carrier-a', '{"max_waiting": 50, "documents_per_minute": 6, "documents_burst": 2}', 'a test')`,
  );
  const eventsOfLimit = 1;
  const good = await check({ document_kind: 'delivery_receipt' });
  assert.deepEqual([good['code'], good['state'], good['lane']], [null, 'accepted', 'signature_critical']);
  assert.deepEqual(good['flow_limit'], {
    documents_per_minute: 6,
    documents_burst: 2,
    max_waiting: 50,
    on_excess: 'defer',
  });
  assert.equal((await check())['lane'], 'standard');
  const bad = await check({ sha256: 'ab' });
  assert.deepEqual([bad['code'], bad['job_id'], bad['lane']], ['ZD011', null, null]);
  assert.equal((await check({ colour: 'red' }))['code'], 'ZD078');
  assert.equal(await counted(), before + eventsOfLimit);
});

test('where a source rejects what is beyond its rate, a batch and a dry run say when to come again', async () => {
  await settle();
  await act(
    `select docket.set_flow_limit('source:carrier-a', '{"documents_per_minute": 6, "documents_burst": 1, "on_excess": "reject"}', 'a test')`,
  );
  await stage.deliver();
  assert.equal(await stage.admit(), 1);
  // The token is spent and one waits: it enters at 10 s, and another may be delivered then, which enters at 20 s.
  await stage.deliver();
  const refusal = await check();
  assert.equal(refusal['code'], 'ZD071');
  const seconds = Number(refusal['retry_after_seconds']);
  assert.ok(seconds >= 9 && seconds <= 20, String(seconds));
  assert.equal((refusal['flow_limit'] as Record<string, unknown>)['on_excess'], 'reject');
  const { rows } = await stage.sender.pool.query<{ code: string; retry_after_seconds: number }>(
    `select code, retry_after_seconds from docket.submit_batch(
       (select json_agg(json_build_object('source_id', 'carrier-a', 'sha256', encode(sha256(int4send(n)), 'hex'), 'locator', 'memory:x',
         'size_bytes', 1, 'media_type', 'image/png', 'captured_at', '2026-01-01')) from generate_series(1, 3) as n))`,
  );
  assert.deepEqual(
    rows.map(({ code }) => code),
    ['ZD071', 'ZD071', 'ZD071'],
  );
  assert.ok(rows.every(({ retry_after_seconds: after }) => after >= 9));
  await settle();
});

test('where nobody works, that is the reason', async () => {
  const job = await stage.deliver();
  await stage.db.query(`update docket.leases set closed_at = clock_timestamp(), close_reason = 'lost'`);
  const [worker] = (await whyJob(job)).filter(({ cause }) => cause === 'worker');
  assert.equal(worker?.next_command, 'docket worker');
  assert.equal((await shown(job)).waits_for, 'a worker, as none is at work');
});
