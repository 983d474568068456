// A worker with an idle slot that verifies a document recognises it under an attempt that was opened together with it, without a message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createLogin, createSender } from '../support/logins.ts';
import { HOST } from './outage-stage.ts';
import { named, openLease, Stage, type Candidate, type Open } from './stage.ts';
import { signatureReport } from './verify-signed.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);

async function hashing(lease?: string, sender = stage.sender): Promise<Open> {
  const job = await stage.deliver({}, sender);
  await stage.admit();
  const [open] = await stage.tryToBegin(job, 'hash', lease);
  return open!;
}

async function bring(
  open: Open,
  { goesOn = true, signatures = null as string | null } = {},
): Promise<commands.RecordVerifiedRow> {
  const [row] = await commands.recordVerified(stage.worker, {
    ...named(open),
    deliveries: [String((open.candidates as Candidate[])[0]!.delivery_id)],
    mediaTypes: ['image/png'],
    signatures: [signatures],
    goesOn: [goesOn],
  });
  return row!;
}

async function expectMessage(open: Open, row: commands.RecordVerifiedRow): Promise<void> {
  assert.deepEqual([row.outcome, row.next_attempt, row.next_token], ['verified', null, null]);
  const job = await stage.job(open.job_id);
  assert.deepEqual(
    [job['state'], job['next_task'], job['attempt'], job['token']],
    ['accepted', 'ocr', open.attempt, null],
  );
  assert.equal((await stage.begin(open.job_id, 'ocr')).attempt, open.attempt + 1);
}

/** What is told of a document's events and attempts, but for what differs between any two. */
async function toldOf(job: string) {
  const { rows: events } = await stage.db.query<Record<string, unknown>>(
    `select seq, from_state, event, to_state, actor, reason, code, attempt,
       case event when 'started' then detail end as detail from docket_audit.events where job_id = $1 order by seq`,
    [job],
  );
  const { rows: attempts } = await stage.db.query<Record<string, unknown>>(
    `select attempt, task, lease_id, outcome, deadline - started_at as lasts, started_at < ended_at as is_after
     from docket.attempts where job_id = $1 order by attempt`,
    [job],
  );
  const { state, next_task, attempt, tries, due_at } = await stage.job(job);
  return { events, attempts, job: { state, next_task, attempt, tries, due_at } };
}

test('what is verified is being recognised at once, as if a message had come, and there is none', async () => {
  const open = await hashing();
  const row = await bring(open);
  assert.deepEqual([row.outcome, row.code, row.next_attempt], ['verified', null, 2]);
  assert.ok(row.next_token !== null);
  assert.equal(await stage.ref(open.job_id, 'ocr'), '');
  assert.equal((await stage.job(open.job_id))['token'], row.next_token);
  const { rows } = await stage.db.query(
    'select reference_nonce from docket.attempts where job_id = $1 and attempt = 2',
    [open.job_id],
  );
  assert.deepEqual(rows, [{ reference_nonce: null }]);

  const byMessage = await stage.running();
  assert.deepEqual(await toldOf(open.job_id), await toldOf(byMessage.job_id));
  const { rows: tasks } = await stage.db.query<{ seconds: number }>(
    `select extract(epoch from deadline)::float8 as seconds from docket.tasks where task = 'ocr'`,
  );
  assert.ok(row.seconds <= tasks[0]!.seconds && row.seconds > tasks[0]!.seconds - 60);

  const result = await stage.record({ ...open, attempt: 2, token: row.next_token });
  assert.equal(result.outcome, 'validated');
  assert.equal(await stage.publish(await stage.begin(open.job_id, 'publish')), 'published');
});

test('of one call some go on and some do not', async () => {
  const opens = [await hashing(), await hashing(), await hashing()];
  const rows = await commands.recordVerified(stage.worker, {
    jobs: opens.map((open) => open.job_id),
    attempts: opens.map((open) => open.attempt),
    tokens: opens.map((open) => open.token),
    deliveries: opens.map((open) => String((open.candidates as Candidate[])[0]!.delivery_id)),
    mediaTypes: opens.map(() => 'image/png'),
    signatures: opens.map(() => null),
    goesOn: [true, false, true],
  });
  const nexts = opens.map((open) => rows.find((row) => row.job_id === open.job_id)?.next_attempt);
  assert.deepEqual(nexts, [2, null, 2]);
  for (const [n, open] of opens.entries()) {
    assert.equal((await stage.job(open.job_id))['state'], n === 1 ? 'accepted' : 'running');
    assert.equal((await stage.ref(open.job_id, 'ocr')) !== '', n === 1);
  }
});

test('whoever brings it again, because the answer was lost, is told of the same attempt; a stranger is not', async () => {
  const open = await hashing();
  const first = await bring(open);
  const again = await bring(open);
  assert.deepEqual(
    [again.outcome, again.next_attempt, again.next_token],
    ['stale', first.next_attempt, first.next_token],
  );
  const stranger = await bring({ ...open, token: '00000000-0000-8000-8000-000000000000' });
  assert.deepEqual([stranger.next_attempt, stranger.next_token], [null, null]);
  assert.equal((await bring(open, { goesOn: false })).next_token, null);
  await stage.record({ ...open, attempt: first.next_attempt!, token: first.next_token! });
  assert.equal((await bring(open)).next_attempt, null);
});

test('an attempt that a message began is answered to nobody else', async () => {
  const open = await hashing();
  await bring(open, { goesOn: false });
  await stage.begin(open.job_id, 'ocr');
  const again = await bring(open);
  assert.deepEqual([again.outcome, again.next_attempt, again.next_token], ['stale', null, null]);
});

test('who does not go on, and what signatures were looked at in, takes the message', async () => {
  const unasked = await hashing();
  await expectMessage(unasked, await bring(unasked, { goesOn: false }));
  const open = await hashing();
  const delivery = String((open.candidates as Candidate[])[0]!.delivery_id);
  const signatures = JSON.stringify([
    { delivery, place: 'embedded', judgedAt: '2026-01-02T03:04:05Z', reports: [signatureReport()] },
  ]);
  await expectMessage(open, await bring(open, { signatures }));
});

test('nothing goes on while something is away on the host', async () => {
  const open = await hashing();
  await stage.db.query(
    `insert into docket.breakers (dependency, host, state, failures, jobs, first_failure_at, probe_at, last_code)
     values ('store', $1, 'open', 1, '{}', now(), now() + interval '1 hour', 'STORE_UNAVAILABLE')`,
    [HOST],
  );
  const row = await bring(open);
  await stage.db.query('delete from docket.breakers');
  await expectMessage(open, row);
});

test('what a worker verified whose lease has ended is recognised by whoever takes the message', async () => {
  const { lease } = await openLease(database);
  const open = await hashing(lease);
  await stage.db.query(
    `update docket.leases set closed_at = clock_timestamp(), close_reason = 'closed' where lease_id = $1`,
    [lease],
  );
  await expectMessage(open, await bring(open));
});

test('a worker that dies before it recognised loses that attempt alone, and a message is made', async () => {
  const { lease, end } = await openLease(database);
  const open = await hashing(lease);
  assert.equal((await bring(open)).next_attempt, 2);
  await end();
  await eventually('its attempt is taken back', async () => {
    await commands.reap(stage.worker);
    return (await stage.lastEvent(open.job_id))['event'] === 'ocr_lost';
  });
  await stage.hasten(open.job_id);
  const recognised = await stage.begin(open.job_id, 'ocr');
  assert.equal(recognised.attempt, 3);
  assert.equal((await stage.record(recognised)).outcome, 'validated');
});

test('where some sources need signatures, nothing goes on before they were judged', async () => {
  const operator = await createLogin(database, 'docket_operator');
  const strict = await createSender(database, 'needs-signed');
  await commands.setEnvelopePolicy(operator.pool, {
    ...{ requirement: 'signed', reason: 'test', sourceId: strict.sourceId, signersRequired: 1 },
  });
  const unsigned = await bring(await hashing(undefined, strict));
  assert.deepEqual(
    [unsigned.outcome, unsigned.code, unsigned.next_attempt],
    ['quarantined', 'SIGNATURE_MISSING', null],
  );
  const open = await hashing();
  await expectMessage(open, await bring(open));
});

test('after all of that every chain holds', async () => {
  for (const row of await commands.verifyLog(stage.db)) assert.equal(row.failed_count, '0', row.checked);
});
