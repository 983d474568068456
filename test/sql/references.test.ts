import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { claimsOf, keyOf, sign } from './reference-key.ts';
import { ReferenceStage } from './reference-stage.ts';
import { openLease } from './stage.ts';

const database = await createTestDatabase();
const on = await ReferenceStage.open(database);
const { stage } = on;

/** Messages for a job that nobody has taken yet, oldest first. */
async function queued(job: string): Promise<{ ref: string; run_at: Date }[]> {
  const { rows } = await stage.db.query<{ ref: string; run_at: Date }>(
    `select payload ->> 'ref' as ref, run_at from graphile_worker._private_jobs where payload ->> 'job_id' = $1 order by id`,
    [job],
  );
  return rows;
}

test('a reference that another implementation signed by the same key is good, so the others were refused for what they changed', async () => {
  const { job, ref } = await on.due();
  const again = await on.resigned(ref, { jti: randomUUID() });
  assert.deepEqual(await on.answers([{ job, ref: again }]), ['begun']);
  const { rows } = await stage.db.query<{ nonce: string }>(
    'select reference_nonce as nonce from docket.attempts where job_id = $1',
    [job],
  );
  assert.equal(rows[0]?.nonce, claimsOf(again)['jti']);
});

test('a reference for one task does not begin another', async () => {
  const { job, ref } = await on.due('ocr');
  assert.deepEqual(await on.answers([{ job, ref }], 'publish'), ['REFERENCE_FORGED']);
  assert.deepEqual(await on.answers([{ job, ref }], 'hash'), ['REFERENCE_FORGED']);
  assert.deepEqual(await on.answers([{ job, ref }], 'ocr'), ['begun']);
});

test('a reference for a job that does not exist is refused, and the others of the same call are not', async () => {
  const one = await on.due();
  const other = await on.due();
  const nobody = { job: randomUUID(), ref: one.ref };
  const twice = [nobody, one, { job: other.job, ref: one.ref }, other, one];
  assert.deepEqual(await on.answers(twice), [
    'REFERENCE_FORGED',
    'begun',
    'REFERENCE_FORGED',
    'begun',
    undefined,
  ]);
  assert.deepEqual(await on.refusals(other.job), ['REFERENCE_FORGED']);
  assert.deepEqual(await on.refusals(one.job), []);
});

test('a reference is used once: who comes with it again is refused, while the attempt is open and after it', async () => {
  const { job, ref } = await on.due();
  const [open] = await on.come([{ job, ref }]);
  assert.deepEqual(await on.answers([{ job, ref }]), ['REFERENCE_REPLAYED']);
  await stage.fail(open!, 'STORE_UNAVAILABLE');
  await stage.hasten(job);
  assert.deepEqual(await on.answers([{ job, ref }]), ['REFERENCE_REPLAYED']);
  await stage.verify(await stage.begin(job, 'hash'));
  assert.deepEqual(await on.answers([{ job, ref }]), ['REFERENCE_REPLAYED']);
  assert.deepEqual(await on.refusals(job), Array(3).fill('REFERENCE_REPLAYED'));
  assert.equal(await on.attemptsOf(job), 2);
});

test('a message that the queue gives out again after its worker was lost is stale, and no event', async () => {
  const { job, ref } = await on.due();
  const { lease } = await openLease(database);
  await on.come([{ job, ref }], 'hash', lease);
  await commands.closeLease(stage.worker, { lease });
  assert.deepEqual(await on.answers([{ job, ref }]), [undefined]);
  await stage.verify(await stage.begin(job, 'hash'));

  // done, but the worker died before the queue was told
  const second = await openLease(database);
  const ocr = await stage.ref(job, 'ocr');
  const [open] = await on.come([{ job, ref: ocr }], 'ocr', second.lease);
  await stage.record(open!);
  assert.deepEqual(await on.answers([{ job, ref: ocr }], 'ocr'), ['REFERENCE_REPLAYED']);
  await commands.closeLease(stage.worker, { lease: second.lease });
  assert.deepEqual(await on.answers([{ job, ref: ocr }], 'ocr'), [undefined]);
  // a day later nothing of that worker is in the queue any more
  await stage.db.query(
    `update docket.leases set closed_at = closed_at - interval '25 hours' where lease_id = $1`,
    [second.lease],
  );
  assert.deepEqual(await on.answers([{ job, ref: ocr }], 'ocr'), ['REFERENCE_REPLAYED']);
});

test('a second wake-up by the reconciler is stale once the first was used, and so is one that comes too early', async () => {
  const { job, ref } = await on.due();
  await stage.db.query(`delete from graphile_worker._private_jobs where payload ->> 'job_id' = $1`, [job]);
  await stage.db.query(`update docket.jobs set state_at = state_at - interval '3 s' where job_id = $1`, [
    job,
  ]);
  await commands.reconcile(stage.worker);
  const second = await stage.ref(job, 'hash');
  assert.notEqual(second, ref);
  const [open] = await on.come([{ job, ref: second }]);
  assert.deepEqual(await on.answers([{ job, ref }]), [undefined]);
  await stage.fail(open!, 'STORE_UNAVAILABLE');
  assert.deepEqual(await on.answers([{ job, ref: await stage.ref(job, 'hash') }]), [undefined]);
  assert.deepEqual(await on.refusals(job), []);
});

test('an expired reference is refused; a job that is due gets a new one at its old place in the queue, and no attempt counts', async () => {
  const { job, ref } = await on.due();
  const old = await on.resigned(ref, { exp: Math.floor(Date.now() / 1000) - 1 });
  const before = await stage.job(job);
  assert.equal((await queued(job)).length, 1);
  assert.deepEqual(
    await on.answers([
      { job, ref: old },
      { job, ref: old },
    ]),
    ['REFERENCE_EXPIRED', undefined],
  );
  assert.deepEqual(await on.refusals(job), ['REFERENCE_EXPIRED']);
  const row = await stage.job(job);
  assert.deepEqual([row['attempt'], row['tries'], row['next_task']], [0, 0, 'hash']);
  const messages = await queued(job);
  assert.equal(messages.length, 2);
  assert.deepEqual(messages[1]!.run_at, before['state_at']);
  assert.deepEqual(await on.answers([{ job, ref: messages[1]!.ref }]), ['begun']);
  // nothing is due any more
  assert.deepEqual(await on.answers([{ job, ref: old }]), [undefined]);
  assert.equal((await queued(job)).length, 2);
});

test('a reference expires at the second it says, by the clock of the server', async () => {
  const { job, ref } = await on.due();
  const soon = await on.resigned(ref, { exp: Math.ceil(Date.now() / 1000) + 60 });
  const now = await on.resigned(ref, { exp: Math.floor(Date.now() / 1000) });
  assert.deepEqual(await on.answers([{ job, ref: now }]), ['REFERENCE_EXPIRED']);
  assert.deepEqual(await on.answers([{ job, ref: soon }]), ['begun']);
});

test('whoever floods the queue is recorded ten times an hour for each job, and refused every time', async () => {
  const { job } = await on.due();
  const other = await on.due();
  const flood = Array.from({ length: 7 }, (_, n) => ({ job, ref: `forged ${n}` }));
  for (let round = 0; round < 3; round += 1) {
    assert.deepEqual(
      await on.answers([...flood, { job: other.job, ref: 'x' }]),
      Array(8).fill('REFERENCE_FORGED'),
    );
  }
  assert.equal((await on.refusals(job)).length, 10);
  assert.equal((await on.refusals(other.job)).length, 3);
  assert.deepEqual(await on.answers([{ job, ref: await stage.ref(job, 'hash') }]), ['begun']);
});

test('nothing is recorded for a worker whose lease has ended', async () => {
  const { job, ref } = await on.due();
  await assert.rejects(on.come([{ job, ref: 'forged' }], 'hash', randomUUID()), { code: 'ZD040' });
  await assert.rejects(on.come([{ job, ref }], 'hash', randomUUID()), { code: 'ZD040' });
  assert.deepEqual(await on.refusals(job), []);
});

test('messages from before references were signed are woken anew by the reconciler, and rows that name no job disturb nobody', async () => {
  const { job } = await on.due();
  await stage.db.query(
    `update graphile_worker._private_jobs set payload = json_build_object('job_id', $1::text) where payload ->> 'job_id' = $1`,
    [job],
  );
  await stage.db.query(
    `select graphile_worker.add_job('hash', p::json, run_at => now() + interval '1 hour')
     from unnest(array['{"job_id": 7}', '{"job_id": "x"}', '[]', '"x"', 'null', '{}']) p`,
  );
  await stage.db.query(`update docket.jobs set state_at = state_at - interval '3 s' where job_id = $1`, [
    job,
  ]);
  await commands.reconcile(stage.worker);
  assert.equal((await queued(job)).length, 1);
  // a worker takes the old message and drops it
  await stage.db.query(`delete from graphile_worker._private_jobs where payload ->> 'job_id' = $1`, [job]);
  const woken = await commands.reconcile(stage.worker);
  assert.ok(woken.some((row) => row.job_id === job));
  assert.deepEqual(await on.answers([{ job, ref: await stage.ref(job, 'hash') }]), ['begun']);
});

test('a new key signs from now on; the one before is believed for an hour, and then counts as expired', async () => {
  const first = await on.due();
  const second = await on.due();
  const operator = database.pool();
  const client = await operator.connect();
  await client.query('set role docket_operator');
  const { rows } = await client.query<{ reference_key_id: number }>(
    'select * from docket.rotate_reference_key()',
  );
  await client.query('reset role');
  client.release();
  const next = await keyOf(stage.db);
  assert.equal(next.kid, String(rows[0]!.reference_key_id));
  assert.notDeepEqual(next.key, on.signer.key);

  const third = await on.due();
  assert.match(
    Buffer.from(third.ref.split('.')[0]!, 'base64url').toString(),
    new RegExp(`"kid":"${next.kid}"`),
  );
  assert.deepEqual(await on.answers([first, third]), ['begun', 'begun']);
  await stage.db.query(
    `update docket.reference_keys set made_at = made_at - interval '61 minutes' where reference_key_id = $1`,
    [next.kid],
  );
  assert.deepEqual(await on.answers([second]), ['REFERENCE_EXPIRED']);
  const fresh = { job: second.job, ref: await stage.ref(second.job, 'hash') };
  assert.deepEqual(await on.answers([fresh]), ['begun']);
  // what somebody who knows the old key signs with it opens nothing
  const fourth = await on.due();
  const stolen = await sign({ ...claimsOf(fourth.ref), exp: 4_000_000_000 }, on.signer);
  assert.deepEqual(await on.answers([{ job: fourth.job, ref: stolen }]), ['REFERENCE_EXPIRED']);
  assert.equal(await on.attemptsOf(fourth.job), 0);
});

test('chains and results verify after all of this', async () => {
  for (const row of [...(await commands.verifyLog(stage.db)), ...(await commands.verifyResults(stage.db))]) {
    assert.equal(row.failed_count, '0', `${row.checked}: ${String(row.first_offender)}`);
  }
});
