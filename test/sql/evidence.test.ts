import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, createSender } from '../support/logins.ts';
import { randomHash, Stage, type Candidate, type Open } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const other = await createSender(database, 'carrier-b');
const evidenceOwner = await createLogin(database, 'docket_evidence_owner');

const locators = (open: Open) => (open.candidates as Candidate[]).map((candidate) => candidate.locator);
const deliveryOf = (open: Open, locator: string) =>
  (open.candidates as Candidate[]).find((candidate) => candidate.locator === locator)!.delivery_id;

async function evidence(job: string): Promise<Record<string, unknown>> {
  const { rows } = await stage.db.query<Record<string, unknown>>(
    `select e.locator, e.source_id, e.document_kind, e.sha256, e.media_type, e.stated_media_type, d.submitted_by,
       d.captured_at = e.captured_at and d.received_at = e.received_at as times_are_the_deliverys
     from docket.evidence e join docket.deliveries d using (delivery_id) where e.job_id = $1`,
    [job],
  );
  return rows[0]!;
}

test('the same bytes from two sources, the first with a wrong locator: one job, the true evidence, both recorded', async () => {
  const sha256 = randomHash();
  const job = await stage.deliver({ sha256, locator: 'memory:wrong', documentKind: 'terms' });
  assert.equal(await stage.deliver({ sha256, locator: 'memory:right' }, other), job);
  await stage.admit();

  const open = await stage.begin(job, 'hash');
  assert.deepEqual(locators(open), ['memory:wrong', 'memory:right']);
  assert.equal(await stage.verify(open, deliveryOf(open, 'memory:right')), 'verified');

  assert.deepEqual(await evidence(job), {
    locator: 'memory:right',
    source_id: 'carrier-b',
    document_kind: 'unknown',
    sha256,
    media_type: 'image/png',
    stated_media_type: 'image/png',
    submitted_by: other.name,
    times_are_the_deliverys: true,
  });
  assert.equal((await stage.job(job))['document_kind'], 'unknown');
  const jobs = await stage.db.query('select from docket.jobs where sha256 = $1', [sha256]);
  assert.equal(jobs.rows.length, 1);
  const deliveries = await stage.db.query(
    'select source_id from docket.deliveries where sha256 = $1 order by 1',
    [sha256],
  );
  assert.deepEqual(deliveries.rows, [{ source_id: 'carrier-a' }, { source_id: 'carrier-b' }]);
  assert.deepEqual(await stage.events(job), ['accepted', 'delivered_again', 'admitted', 'verified']);

  const states = async (pool: typeof other.pool) =>
    (
      await pool.query<{ state: string | null }>('select state from docket.submissions where job_id = $1', [
        job,
      ])
    ).rows;
  assert.deepEqual(await states(other.pool), [{ state: 'accepted' }]);
  assert.deepEqual(await states(stage.sender.pool), [{ state: null }]);
});

test('recognition reads the evidence first, then other deliveries of the same bytes, and publication reads none', async () => {
  const sha256 = randomHash();
  const job = await stage.verified({ sha256, locator: 'memory:first' });
  await stage.deliver({ sha256, locator: 'memory:later' }, other);
  await stage.admit();
  const ocr = await stage.begin(job, 'ocr');
  assert.deepEqual(locators(ocr), ['memory:first', 'memory:later']);
  await stage.record(ocr);
  assert.deepEqual(locators(await stage.begin(job, 'publish')), []);
});

test('many wrong deliveries of one source do not come before the first of another', async () => {
  const sha256 = randomHash();
  const job = await stage.deliver({ sha256, locator: 'memory:bad0' });
  for (let n = 1; n < 120; n += 1) await stage.deliver({ sha256, locator: `memory:bad${n}` });
  await stage.deliver({ sha256, locator: 'memory:good' }, other);
  await stage.admit();
  assert.equal(locators(await stage.begin(job, 'hash'))[1], 'memory:good');
});

test('a quarantined job that was never verified comes back by a new delivery; one that was does not', async () => {
  const sha256 = randomHash();
  const job = await stage.deliver({ sha256, locator: 'memory:wrong' });
  await stage.admit();
  await stage.fail(await stage.begin(job, 'hash'), 'HASH_MISMATCH');
  assert.equal((await stage.job(job))['state'], 'quarantined');

  await stage.deliver({ sha256, locator: 'memory:right' }, other);
  await stage.admit();
  const back = await stage.job(job);
  assert.deepEqual([back['state'], back['first_code'], back['tries']], ['accepted', null, 0]);
  const open = await stage.begin(job, 'hash');
  await stage.verify(open, deliveryOf(open, 'memory:right'));
  assert.equal((await evidence(job))['source_id'], 'carrier-b');

  await stage.fail(await stage.begin(job, 'ocr'), 'CORRUPT');
  await stage.deliver({ sha256 });
  await stage.admit();
  assert.equal((await stage.job(job))['state'], 'quarantined');
  assert.deepEqual(await stage.events(job), [
    'accepted',
    'admitted',
    'quarantined',
    'redelivered',
    'admitted',
    'verified',
    'started',
    'quarantined',
    'delivered_again',
  ]);
});

test('a delivery that comes while wrong ones are being tried is tried too', async () => {
  const sha256 = randomHash();
  const job = await stage.deliver({ sha256, locator: 'memory:wrong' });
  await stage.admit();
  const open = await stage.begin(job, 'hash');
  await stage.deliver({ sha256, locator: 'memory:right' }, other);
  await stage.admit();
  await stage.fail(open, 'HASH_MISMATCH');
  await stage.admit();
  assert.deepEqual(locators(await stage.begin(job, 'hash')), ['memory:wrong', 'memory:right']);
});

test('a delivery that comes while the right one is being tried is only noted', async () => {
  const sha256 = randomHash();
  const job = await stage.deliver({ sha256 });
  await stage.admit();
  const open = await stage.begin(job, 'hash');
  await stage.deliver({ sha256 }, other);
  await stage.admit();
  await stage.verify(open);
  await stage.admit();
  assert.deepEqual(await stage.events(job), ['accepted', 'admitted', 'verified', 'delivered_again']);
});

test('the evidence stays the same when a released job is verified again', async () => {
  const sha256 = randomHash();
  const job = await stage.quarantined({ sha256, locator: 'memory:first' });
  const before = await evidence(job);
  await stage.deliver({ sha256, locator: 'memory:second' }, other);
  await evidenceOwner.pool.query('select docket.release_quarantined(array[$1]::uuid[], $2)', [
    job,
    'repaired',
  ]);
  await stage.admit();
  const open = await stage.begin(job, 'hash');
  assert.deepEqual(locators(open), ['memory:first', 'memory:second']);
  await stage.verify(open);
  assert.deepEqual(await evidence(job), before);
});

test('a worker cannot make evidence of a delivery of another job', async () => {
  const [mine, foreign] = [await stage.deliver(), await stage.deliver()];
  await stage.admit();
  const [open, strange] = [await stage.begin(mine, 'hash'), await stage.begin(foreign, 'hash')];
  await assert.rejects(stage.verify(open, (strange.candidates as Candidate[])[0]!.delivery_id));
  const rows = await stage.db.query('select from docket.evidence where job_id = any ($1)', [[mine, foreign]]);
  assert.equal(rows.rows.length, 0);
  assert.equal((await stage.job(mine))['token'], open.token);
});

test('a hash that was invented to begin like another makes another document, and keeps nobody out', async () => {
  const honest = createHash('sha256').update('honest').digest();
  const invented = Buffer.concat([honest.subarray(0, 31), Buffer.from([(honest[31]! + 1) % 256])]);
  const first = await stage.deliver({ sha256: invented });
  const second = await stage.deliver({ sha256: honest });
  assert.notEqual(first, second);
  assert.equal((await stage.job(second))['state'], 'accepted');
});

test('a document whose evidence is gone from its place comes back by another delivery of the same bytes', async () => {
  const sha256 = randomHash();
  const job = await stage.verified({ sha256, locator: 'memory:taken-away' });
  await stage.fail(await stage.begin(job, 'ocr'), 'SIZE_MISMATCH');
  assert.equal((await stage.job(job))['state'], 'quarantined');
  await stage.deliver({ sha256, locator: 'memory:kept' }, other);
  await stage.admit();
  assert.deepEqual((await stage.events(job)).slice(-2), ['redelivered', 'admitted']);
  assert.deepEqual(locators(await stage.begin(job, 'hash')), ['memory:taken-away', 'memory:kept']);
});
