import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, type Sender } from '../support/logins.ts';
import { FurtherStage } from './further-stage.ts';
import { named, randomHash, type Candidate } from './stage.ts';

const database = await createTestDatabase();
const further = await FurtherStage.open(database);
const { stage, other, third } = further;

/** What a source reads of its deliveries of a document. */
async function state(sender: Sender, job: string): Promise<(string | null)[]> {
  const { rows } = await sender.pool.query<{ state: string | null }>(
    'select state from docket.submissions where job_id = $1 order by delivery_id',
    [job],
  );
  return rows.map((row) => row.state);
}

test('the source of the evidence sees the document, with what that delivery states', async () => {
  const job = await stage.deliver({ documentKind: 'terms', capturedAt: '2026-02-03 04:05:06+00' });
  await stage.admit();
  assert.deepEqual(await further.seenBy(job), []);
  assert.deepEqual(await state(stage.sender, job), ['accepted']);
  await stage.verify(await stage.begin(job, 'hash'));
  const { rows } = await stage.db.query(
    `select s.source_id, s.ordinal, s.document_kind, s.document_date, s.captured_at = '2026-02-03 04:05:06+00' as captured,
       s.received_at = d.received_at as received, s.verified_at = e.verified_at as verified
     from docket.document_sources s
     join docket.deliveries d using (delivery_id) join docket.evidence e using (delivery_id) where s.job_id = $1`,
    [job],
  );
  assert.deepEqual(rows, [
    {
      source_id: 'carrier-a',
      ordinal: 1,
      document_kind: 'terms',
      document_date: null,
      captured: true,
      received: true,
      verified: true,
    },
  ]);
  assert.deepEqual(await further.checksOf(job), []);
});

test('a further source sees a document once its bytes were seen to match, and not before', async () => {
  const sha256 = randomHash();
  const job = await stage.published({ sha256, locator: 'memory:a' });
  const delivery = await further.deliver(
    { sha256, locator: 'memory:b', sizeBytes: 1000, documentKind: 'terms' },
    other,
  );
  assert.deepEqual(await further.checksOf(job), []);
  await stage.admit();
  assert.deepEqual(await further.checksOf(job), [delivery]);
  assert.deepEqual(await state(other, job), [null]);

  assert.deepEqual(await further.claim(), [
    {
      delivery_id: delivery,
      job_id: job,
      sha256,
      locator: 'memory:b',
      version: null,
      size_bytes: '1000',
      seconds: 120,
      code: null,
      source_id: 'carrier-b',
      encryption: 'none',
      object_key: null,
    },
  ]);
  assert.deepEqual(await further.record({ [delivery]: null }), { [delivery]: 'verified' });
  assert.deepEqual(await further.seenBy(job), ['carrier-a', 'carrier-b']);
  assert.deepEqual(await state(other, job), ['published']);
  assert.deepEqual(await further.checksOf(job), []);
  const { event, to_state, actor, code, detail } = await stage.lastEvent(job);
  assert.deepEqual([event, to_state, actor, code], ['delivery_verified', 'published', 'docket_worker', null]);
  assert.equal(String(detail['delivery']), delivery);
  assert.equal(detail['source'], 'carrier-b');
  const { rows } = await stage.db.query(
    `select document_kind, ordinal, delivery_id from docket.document_sources where job_id = $1 and source_id = 'carrier-b'`,
    [job],
  );
  assert.deepEqual(rows, [{ document_kind: 'terms', ordinal: 2, delivery_id: delivery }]);
});

test('a source that sees a document has nothing more to show for it', async () => {
  const sha256 = randomHash();
  const job = await stage.verified({ sha256, locator: 'memory:a' });
  await further.deliver({ sha256, locator: 'memory:a2' }, stage.sender);
  const first = await further.deliver({ sha256, locator: 'memory:b' }, other);
  const second = await further.deliver({ sha256, locator: 'memory:b2' }, other);
  await stage.admit();
  assert.deepEqual(await further.checksOf(job), [first, second]);
  await further.claim();
  await further.record({ [second]: null });
  assert.deepEqual(await further.checksOf(job), []);
  assert.deepEqual(await further.record({ [first]: 'HASH_MISMATCH' }), { [first]: 'stale' });
  await further.deliver({ sha256, locator: 'memory:b3' }, other);
  await stage.admit();
  assert.deepEqual(await further.checksOf(job), []);
  assert.deepEqual(
    (await stage.events(job)).filter((event) => event.startsWith('delivery_')),
    ['delivery_verified'],
  );
});

test('deliveries that came before the evidence was fixed are checked afterwards, the first of all included', async () => {
  const sha256 = randomHash();
  const wrong = await further.deliver({ sha256, locator: 'memory:wrong' }, third);
  const right = await further.deliver({ sha256, locator: 'memory:right' }, other);
  await stage.admit();
  const late = await further.deliver({ sha256, locator: 'memory:late' }, stage.sender);
  const { rows } = await stage.db.query<{ job_id: string }>(
    'select job_id from docket.jobs where sha256 = $1',
    [sha256],
  );
  const job = rows[0]!.job_id;
  assert.deepEqual(await further.checksOf(job), []);
  await stage.verify(await stage.begin(job, 'hash'), Number(right));
  assert.deepEqual(await further.checksOf(job), [wrong]);
  await stage.admit();
  assert.deepEqual(await further.checksOf(job), [wrong, late]);
  await further.claim();
  assert.deepEqual(await further.record({ [wrong]: 'HASH_MISMATCH', [late]: null }), {
    [wrong]: 'refused',
    [late]: 'verified',
  });
  assert.deepEqual(await further.seenBy(job), ['carrier-b', 'carrier-a']);
  assert.deepEqual(await state(third, job), [null]);
});

test('the hash and the place of what another source delivered show nothing, however the place is spelt', async () => {
  const sha256 = randomHash();
  const job = await stage.verified({ sha256, locator: 'file:carrier-a/Scan.png' });
  const copies = [
    await further.deliver({ sha256, locator: 'file:carrier-a/Scan.png' }, other),
    await further.deliver({ sha256, locator: 'file:carrier-a/scan.png' }, other),
  ];
  await stage.admit();
  const claimed = await further.claim();
  assert.deepEqual(
    new Map(claimed.map((row) => [row.delivery_id, row.code])),
    new Map(copies.map((copy) => [copy, 'LOCATOR_TAKEN'])),
  );
  // Whatever a worker says of it.
  assert.deepEqual(
    Object.values(await further.record(Object.fromEntries(copies.map((copy) => [copy, null])))),
    ['refused', 'refused'],
  );
  assert.deepEqual(await further.seenBy(job), ['carrier-a']);
  assert.deepEqual(await state(other, job), [null, null]);
  const { event, code, reason } = await stage.lastEvent(job);
  assert.deepEqual([event, code], ['delivery_refused', 'LOCATOR_TAKEN']);
  assert.match(String(reason), /Another source was first to name this place/);
});

test('a place is of the source that named it first, also when another one repeats it in between', async () => {
  const sha256 = randomHash();
  await stage.verified({ sha256, locator: 'memory:a' });
  const own = await further.deliver({ sha256, locator: 'memory:b' }, other);
  const repeated = await further.deliver({ sha256, locator: 'memory:b' }, third);
  const again = await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  const codes = new Map((await further.claim()).map((row) => [row.delivery_id, row.code]));
  assert.deepEqual(
    [own, repeated, again].map((delivery) => codes.get(delivery)),
    [null, 'LOCATOR_TAKEN', null],
  );
});

test('what repeats the statement of another source is no candidate for the evidence, and its place else the last', async () => {
  const sha256 = randomHash();
  const job = await stage.deliver({ sha256, locator: 'memory:a' });
  await stage.deliver({ sha256, locator: 'memory:a' }, other);
  await stage.deliver({ sha256, locator: 'memory:a', sizeBytes: 7 }, third);
  await stage.deliver({ sha256, locator: 'memory:a2' });
  await stage.admit();
  const { candidates } = await stage.begin(job, 'hash');
  const { rows } = await stage.db.query<{ source_id: string; locator: string }>(
    `select d.source_id, d.locator from unnest($1::bigint[]) with ordinality as n (delivery_id, place)
     join docket.deliveries d using (delivery_id) order by n.place`,
    [(candidates as Candidate[]).map((candidate) => candidate.delivery_id)],
  );
  assert.deepEqual(
    rows.map((row) => `${row.source_id} ${row.locator}`),
    ['carrier-a memory:a2', 'carrier-a memory:a', 'carrier-c memory:a'],
  );
});

test('checks are facts: they move no state and end no attempt', async () => {
  for (const state of ['accepted', 'running', 'validated', 'published', 'quarantined'] as const) {
    const sha256 = randomHash();
    const job = await (state === 'accepted'
      ? stage.verified({ sha256, locator: 'memory:a' })
      : state === 'running'
        ? stage.running({ sha256, locator: 'memory:a' }).then((open) => open.job_id)
        : stage[state]({ sha256, locator: 'memory:a' }));
    const one = await further.deliver({ sha256, locator: 'memory:b' }, other);
    const two = await further.deliver({ sha256, locator: 'memory:c' }, third);
    await stage.admit();
    const before = await stage.job(job);
    await further.claim();
    assert.deepEqual(await further.record({ [one]: null, [two]: 'SIZE_MISMATCH' }), {
      [one]: 'verified',
      [two]: 'refused',
    });
    const after = await stage.job(job);
    assert.deepEqual({ ...after, seq: null, head: null }, { ...before, seq: null, head: null });
    assert.equal(after['seq'], (before['seq'] as number) + 2);
    assert.deepEqual((await stage.events(job)).slice(-2), ['delivery_verified', 'delivery_refused']);
  }
});

test('an attempt that is under way while a further source is let in ends as if nothing had been', async () => {
  const sha256 = randomHash();
  const open = await stage.running({ sha256, locator: 'memory:a' });
  const delivery = await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  await further.claim();
  await further.record({ [delivery]: null });
  assert.equal((await stage.record(open)).outcome, 'validated');
  assert.equal(await stage.publish(await stage.begin(open.job_id, 'publish')), 'published');
});

test('several sources let in by one call each have their number and their event', async () => {
  const sha256 = randomHash();
  const job = await stage.verified({ sha256, locator: 'memory:a' });
  const twice = [
    await further.deliver({ sha256, locator: 'memory:b' }, other),
    await further.deliver({ sha256, locator: 'memory:b2' }, other),
  ];
  const once = await further.deliver({ sha256, locator: 'memory:c' }, third);
  await stage.admit();
  await further.claim();
  assert.deepEqual(await further.record({ [twice[0]!]: null, [twice[1]!]: null, [once]: null }), {
    [twice[0]!]: 'verified',
    [twice[1]!]: 'seen',
    [once]: 'verified',
  });
  assert.deepEqual(await further.seenBy(job), ['carrier-a', 'carrier-b', 'carrier-c']);
  assert.deepEqual((await stage.events(job)).slice(-2), ['delivery_verified', 'delivery_verified']);
  assert.deepEqual(await further.checksOf(job), []);
});

test('the evidence of a document that is verified again after a release lets nobody in twice and checks nothing anew', async () => {
  const sha256 = randomHash();
  const job = await stage.quarantined({ sha256, locator: 'memory:a' });
  const delivery = await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  await further.claim();
  await further.record({ [delivery]: 'HASH_MISMATCH' });
  const owner = await createLogin(database, 'docket_evidence_owner');
  await owner.pool.query('select docket.release_quarantined(array[$1]::uuid[], $2)', [job, 'again']);
  await stage.admit();
  await stage.verify(await stage.begin(job, 'hash'));
  assert.deepEqual(await further.seenBy(job), ['carrier-a']);
  assert.deepEqual(await further.checksOf(job), []);
});

test('a worker whose record of the evidence came too late lets nobody see anything', async () => {
  const job = await stage.deliver();
  await stage.admit();
  const open = await stage.begin(job, 'hash');
  const late = await commands.recordVerified(stage.worker, {
    ...named(open),
    tokens: ['00000000-0000-4000-8000-000000000000'],
    deliveries: [String((open.candidates as Candidate[])[0]!.delivery_id)],
    mediaTypes: ['image/png'],
    signatures: [null],
  });
  assert.equal(late[0]!.outcome, 'stale');
  assert.deepEqual(await further.seenBy(job), []);
});

test('after all of that every chain holds, and who sees what agrees with events and deliveries', async () => {
  for (const row of [...(await commands.verifyLog(stage.db)), ...(await commands.verifyResults(stage.db))]) {
    assert.equal(row.failed_count, '0', `${row.checked}: ${String(row.first_offender)}`);
  }
});
