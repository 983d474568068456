import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { ReceiptsStage } from './receipts-stage.ts';
import { randomHash } from './stage.ts';

const receipts = await ReceiptsStage.open(await createTestDatabase());
const { further } = receipts;
const { stage, other } = further;

test('that a hash was claimed is told a second after the delivery, with the event that proves it', async () => {
  const job = await stage.deliver();
  assert.deepEqual(await receipts.tell(), []);
  const delivery = await receipts.deliveryOf(job);
  const told = await receipts.told(delivery);
  const waited = told.iat * 1000 - Date.parse(told.delivery.received_at);
  assert.ok(waited > 0 && waited < 20_000, `${waited} ms`);
  const { seq, hash } = await receipts.event(job, 'accepted');
  assert.deepEqual([told.outcome, told.code, told.document], ['PEND', undefined, undefined]);
  assert.deepEqual([told.event?.name, told.event?.seq, told.event?.hash], ['accepted', seq, hash]);
  assert.equal(told.statement, 'Hash claimed. The bytes were not seen.');
  assert.deepEqual(await receipts.ordered(), []);
});

test('what is verified at once is received, without a word of a claim before', async () => {
  const sha256 = randomHash();
  const job = await stage.verified({ sha256, sizeBytes: 4711, capturedAt: '2026-03-04 05:06:07+00' });
  const delivery = await receipts.deliveryOf(job);
  const [told, ...more] = await receipts.tell();
  assert.ok(told);
  assert.deepEqual(more, []);
  const { seq, hash } = await receipts.event(job, 'verified');
  assert.deepEqual(
    [told.sub, told.outcome, told.document, told.event?.name, told.event?.seq, told.event?.hash],
    ['carrier-a', 'RECE', job, 'verified', seq, hash],
  );
  assert.deepEqual(told.delivery, {
    id: delivery,
    received_at: told.delivery.received_at,
    sha256: sha256.toString('hex'),
    size_bytes: 4711,
    captured_at_as_stated: '2026-03-04T05:06:07.000000Z',
  });
  assert.equal(told.statement, 'Bytes received. It has no signature.');
  await stage.db.query('select docket.order_receipts_of(array[$1::uuid])', [job]);
  assert.deepEqual(await receipts.tell(), [], 'what was told is not told again');
  assert.deepEqual(await receipts.history(delivery), ['RECE']);
  assert.deepEqual(await receipts.ordered(), []);
});

test('the same bytes from the same source are a duplicate that names the delivery which brought them', async () => {
  const sha256 = randomHash();
  const job = await stage.verified({ sha256 });
  const first = await receipts.deliveryOf(job);
  await receipts.tell();
  const again = await further.deliver({ sha256 }, stage.sender);
  await stage.admit();
  const told = await receipts.told(again);
  const { seq } = await receipts.event(job, 'delivered_again');
  assert.deepEqual(
    [told.outcome, told.document, told.earlier?.id, told.event?.seq, told.event?.name],
    ['DUPE', job, first, seq, 'delivered_again'],
  );
});

test('another source learns nothing of a document until its own bytes were seen', async () => {
  const sha256 = randomHash();
  const job = await stage.verified({ sha256, locator: 'memory:a' });
  await receipts.tell();
  const delivery = await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  const claimed = await receipts.told(delivery);
  assert.deepEqual(
    [claimed.sub, claimed.outcome, claimed.document, claimed.event, claimed.earlier],
    ['carrier-b', 'PEND', undefined, undefined, undefined],
  );
  assert.doesNotMatch(JSON.stringify(claimed), /carrier-a/);

  await further.claim();
  await further.record({ [delivery]: null });
  const told = await receipts.told(delivery);
  const { hash } = await receipts.event(job, 'delivery_verified');
  assert.deepEqual([told.outcome, told.document, told.event?.hash], ['RECE', job, hash]);
  assert.doesNotMatch(JSON.stringify(told), /carrier-a/);
});

test('a delivery of another source is refused with its own code, and told nothing of the event', async () => {
  const sha256 = randomHash();
  await stage.verified({ sha256, locator: 'memory:a' });
  const wrong = await further.deliver({ sha256, locator: 'memory:b' }, other);
  const denied = await further.deliver({ sha256, locator: 'memory:c' }, further.third);
  await stage.admit();
  await further.claim();
  await further.record({ [wrong]: 'HASH_MISMATCH', [denied]: 'OBJECT_DAMAGED' });
  const told = new Map((await receipts.tell()).map((claims) => [claims.delivery.id, claims]));
  assert.deepEqual(
    [wrong, denied].map((id) => [told.get(id)?.outcome, told.get(id)?.code, told.get(id)?.event]),
    [
      ['BENV', 'HASH_MISMATCH', undefined],
      ['PEND', 'OBJECT_DAMAGED', undefined],
    ],
  );
  assert.equal(told.get(wrong)?.remedy, 'Find out which bytes were signed, and deliver those again.');
});

test('a packet without its bytes is refused for the failure that came too often, and pending again once released', async () => {
  const job = await stage.deliver();
  const delivery = await receipts.deliveryOf(job);
  await stage.admit();
  for (const last of ['retry', 'retry', 'quarantined']) {
    await stage.hasten(job);
    const { outcome } = await stage.fail(await stage.begin(job, 'hash'), 'OBJECT_NOT_FOUND');
    assert.equal(outcome, last);
  }
  assert.equal((await stage.job(job))['last_code'], 'RETRY_EXHAUSTED');
  const told = await receipts.told(delivery);
  const { hash } = await receipts.event(job, 'quarantined');
  assert.deepEqual(
    [told.outcome, told.code, told.remedy, told.event?.hash, told.document],
    [
      'BENV',
      'OBJECT_NOT_FOUND',
      'Store the object, then deliver again with the right locator.',
      hash,
      undefined,
    ],
  );
  await release(job);
  const { outcome, code, event } = await receipts.told(delivery);
  assert.deepEqual([outcome, code, event?.name], ['PEND', undefined, 'released']);
});

test('the packet that failed becomes a duplicate once a further delivery brings the bytes', async () => {
  const sha256 = randomHash();
  const job = await stage.deliver({ sha256, locator: 'memory:a' });
  await stage.admit();
  await stage.fail(await stage.begin(job, 'hash'), 'HASH_MISMATCH');
  const first = await receipts.deliveryOf(job);
  assert.equal((await receipts.told(first)).outcome, 'BENV');
  const second = await further.deliver({ sha256, locator: 'memory:b' }, stage.sender);
  await stage.admit();
  await stage.verify(await stage.begin(job, 'hash'), Number(second));
  await receipts.tell();
  assert.deepEqual((await receipts.history(first)).at(-1), 'DUPE');
  assert.deepEqual((await receipts.history(second)).at(-1), 'RECE');
});

test('what stops a document later is told with its remedy to all who see it, and so is that it goes on', async () => {
  const sha256 = randomHash();
  const open = await stage.running({ sha256, locator: 'memory:a' });
  const job = open.job_id;
  const first = await receipts.deliveryOf(job);
  const foreign = await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  await further.claim();
  await further.record({ [foreign]: null });
  await receipts.tell();
  await stage.fail(open, 'CORRUPT');
  const told = await receipts.tell();
  assert.deepEqual(
    told.map(({ sub, outcome, code, remedy }) => [sub, outcome, code, remedy]),
    ['carrier-a', 'carrier-b'].map((sub) => [
      sub,
      'RECE',
      'CORRUPT',
      'Scan again, or send an undamaged copy.',
    ]),
  );
  await release(job);
  await receipts.tell();
  assert.deepEqual(await receipts.history(first), ['RECE', 'RECE CORRUPT', 'RECE']);
  assert.deepEqual(await receipts.history(foreign), ['RECE', 'RECE CORRUPT', 'RECE']);
});

test('that a document goes on which an outage had stopped is told, though what is true now was told before', async () => {
  const job = await stage.deliver();
  const delivery = await receipts.deliveryOf(job);
  await receipts.told(delivery);
  await stage.admit();
  while ((await stage.job(job))['state'] !== 'quarantined') {
    await stage.fail(await stage.begin(job, 'hash'), 'CHECK_TIMEOUT');
    await stage.hasten(job);
  }
  await receipts.told(delivery);
  await commands.redrive(stage.db, { code: 'CHECK_TIMEOUT', since: null, limit: 1, reason: 'it is back' });
  const { event } = await receipts.told(delivery);
  assert.equal(event?.name, 'redriven');
  assert.deepEqual(await receipts.history(delivery), ['PEND', 'PEND RETRY_EXHAUSTED', 'PEND']);
});

test('a document that stops, goes on and stops again is told of each time', async () => {
  const job = await stage.quarantined();
  const delivery = await receipts.deliveryOf(job);
  await receipts.tell();
  await release(job);
  await stage.admit();
  const open = await stage.begin(job, 'hash');
  await stage.verify(open, Number(delivery));
  await stage.fail(await stage.begin(job, 'ocr'), 'CORRUPT');
  await receipts.tell();
  assert.deepEqual(await receipts.history(delivery), ['RECE CORRUPT', 'RECE CORRUPT']);
});

test('senders read the newest receipt of their own deliveries, and of no others', async () => {
  const sha256 = randomHash();
  const job = await stage.quarantined({ sha256, locator: 'memory:a' });
  await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  await receipts.tell();
  const mine = await stage.sender.pool.query<Record<string, string>>(
    'select * from docket.my_submissions where job_id = $1',
    [job],
  );
  assert.equal(mine.rows.length, 1);
  const [row] = mine.rows;
  assert.deepEqual(
    [row!['state'], row!['outcome'], row!['code'], row!['meaning'], row!['remedy'], row!['statement']],
    [
      'quarantined',
      'RECE',
      'CORRUPT',
      'The file is damaged.',
      'Scan again, or send an undamaged copy.',
      'Bytes received. It has no signature.',
    ],
  );
  assert.equal((await receipts.verify(row!['receipt']!)).outcome, 'RECE');
  const theirs = await other.pool.query<Record<string, string>>(
    'select source_id, receipt from docket.my_submissions where job_id = $1',
    [job],
  );
  assert.deepEqual(theirs.rows, [{ source_id: 'carrier-b', receipt: null }]);
  const { rows } = await other.pool.query('select * from docket.receipts_of(null, $1)', [job]);
  assert.deepEqual(rows, []);
});

test('a packet without the signature that it needs is refused for it, until another source brings what was missing', async () => {
  await commands.setEnvelopePolicy(stage.db, {
    requirement: 'signed',
    reason: 'the test',
    documentKind: 'delivery_receipt',
  });
  const sha256 = randomHash();
  const job = await stage.verified({ sha256, locator: 'memory:a', documentKind: 'delivery_receipt' });
  const delivery = await receipts.deliveryOf(job);
  assert.equal((await stage.job(job))['state'], 'quarantined');
  const told = await receipts.told(delivery);
  assert.deepEqual(
    [told.outcome, told.code, told.remedy, told.statement],
    [
      'BSIG',
      'SIGNATURE_MISSING',
      'Deliver the same scan again with a signature envelope.',
      'Bytes received. It has no signature.',
    ],
  );
  assert.deepEqual(await receipts.history(delivery), ['BSIG SIGNATURE_MISSING']);
  const foreign = await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  await further.claim();
  await further.record({ [foreign]: null });
  await receipts.tell();
  // of this source none is needed
  assert.deepEqual(
    [await receipts.history(delivery), await receipts.history(foreign)].map((all) => all.at(-1)),
    ['RECE', 'RECE'],
  );
});

test('a bulk of deliveries is told of, each once', async () => {
  const { rows } = await stage.sender.pool.query<{ delivery_id: string }>(
    `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at)
     select 'carrier-a', sha256(convert_to('bulk ' || n, 'UTF8')), 'memory:bulk', 1, 'image/png', now()
     from generate_series(1, 450) as n returning delivery_id`,
  );
  const last = rows.at(-1)!.delivery_id;
  await receipts.told(last);
  const { rows: counts } = await stage.db.query<{ count: string; told: string }>(
    `select count(*), string_agg(distinct outcome, ' ') as told from docket.receipts where delivery_id = any ($1)`,
    [rows.map((row) => row.delivery_id)],
  );
  assert.deepEqual(counts, [{ count: '450', told: 'PEND' }]);
  assert.deepEqual(await receipts.ordered(), []);
});

async function release(job: string): Promise<void> {
  await commands.releaseQuarantined(stage.db, { jobs: [job], reason: 'looked at' });
}
