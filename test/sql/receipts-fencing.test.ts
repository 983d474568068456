import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { ReceiptsStage } from './receipts-stage.ts';
import { refused } from './refused.ts';
import { randomHash } from './stage.ts';

const database = await createTestDatabase();
const receipts = await ReceiptsStage.open(database);
const { further } = receipts;
const { stage } = further;

test('a receipt of what is not true any more is not recorded, and the truth is told instead', async () => {
  const open = await stage.running();
  const delivery = await receipts.deliveryOf(open.job_id);
  const [claims] = await receipts.claim();
  assert.equal(claims?.outcome, 'RECE');
  await stage.fail(open, 'CORRUPT');
  assert.deepEqual(await receipts.record(await receipts.sign(claims)), ['stale']);
  await receipts.tell();
  assert.deepEqual(await receipts.history(delivery), ['RECE CORRUPT']);
});

test('what a dead worker was signing is handed out again after half a minute, and recorded once', async () => {
  const delivery = await receipts.deliveryOf(await stage.verified());
  const [lost] = await receipts.claim();
  assert.ok(lost);
  assert.deepEqual(await receipts.claim(), []);
  const { rows } = await stage.db.query<{ wait: string }>(
    `select round(extract(epoch from handed_out_until - clock_timestamp()) / 10) as wait from docket.receipt_orders where delivery_id = $1`,
    [delivery],
  );
  assert.equal(rows[0]!.wait, '3');
  await stage.db.query(`update docket.receipt_orders set handed_out_until = '2026-01-01'`);
  await receipts.tell();
  assert.deepEqual(await receipts.record(await receipts.sign(lost)), ['stale']);
  assert.deepEqual(await receipts.history(delivery), ['RECE']);
});

test('of a document that one worker is telling of, another is handed out nothing', async () => {
  const sha256 = randomHash();
  const job = await stage.verified({ sha256 });
  const [first] = await receipts.claim();
  const again = await further.deliver({ sha256 }, stage.sender);
  await stage.admit();
  await stage.db.query('select docket.order_receipts(array[$1::bigint])', [again]);
  assert.deepEqual(await receipts.claim(), []);
  await receipts.record(await receipts.sign(first!));
  assert.deepEqual(
    (await receipts.tell()).map((claims) => [claims.delivery.id, claims.outcome]),
    [[again, 'DUPE']],
  );
  const { rows } = await stage.db.query<{ seq: number }>(
    'select seq from docket.receipts where job_id = $1 order by receipt_no',
    [job],
  );
  assert.deepEqual(
    rows.map((row) => row.seq),
    rows.map((row) => row.seq).toSorted((one, next) => one - next),
  );
});

test('a person who leaves a release open holds up the receipts of that document alone', async () => {
  const held = await stage.quarantined();
  await receipts.tell();
  await stage.db.query('select docket.order_receipts_of(array[$1::uuid])', [held]);
  const client = await stage.db.connect();
  try {
    await client.query('begin');
    await client.query('select docket.release_quarantined(array[$1::uuid], $2)', [held, 'for a look']);
    const free = await receipts.deliveryOf(await stage.verified());
    assert.deepEqual(
      (await receipts.tell()).map((claims) => claims.delivery.id),
      [free],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
  await receipts.tell();
  assert.deepEqual(await receipts.history(await receipts.deliveryOf(held)), ['RECE CORRUPT', 'RECE']);
});

test('what is no receipt is refused, and so is one by a key that is not recorded', async () => {
  await stage.verified();
  const [claims] = await receipts.claim();
  const good = await receipts.sign(claims!);
  for (const [jws, message] of [
    ['no receipt', /not a compact JWS/],
    [`x${good}`, /not a compact JWS|lacks/],
    [await receipts.sign({ ...claims, jti: 'seven' }), /not a compact JWS/],
    [await receipts.sign({ ...claims, jti: undefined }), /lacks/],
    [await receipts.sign({ ...claims, delivery: {} }), /lacks/],
    [await receipts.sign(claims!, 'another'), /lacks/],
  ] as const) {
    assert.match((await refused('ZD047', receipts.record(jws))).message, message);
  }
  assert.deepEqual(await receipts.record(good), ['recorded']);
});

test('the id of a key is its thumbprint, and a private half is not looked at', async () => {
  // RFC 8037, appendix A: the key of A.2 and its thumbprint in A.3
  const publicJwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
  for (const time of [1, 2]) {
    const rows = await commands.addReceiptKey(stage.worker, { publicJwk: JSON.stringify(publicJwk) });
    assert.deepEqual(rows, [{ key_id: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k' }], `time ${time}`);
  }
  const { rows } = await stage.sender.pool.query<{ public_jwk: string }>(
    `select public_jwk from docket.receipt_keys where key_id like 'kPrK%'`,
  );
  assert.deepEqual(JSON.parse(rows[0]!.public_jwk), {
    ...publicJwk,
    kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    alg: 'EdDSA',
    use: 'sig',
  });
  for (const wrong of [
    { ...publicJwk, d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A' },
    { ...publicJwk, crv: 'X25519' },
    { kty: 'oct', k: 'AAAA' },
    { ...publicJwk, x: `${publicJwk.x}"` },
  ]) {
    await refused('ZD047', commands.addReceiptKey(stage.worker, { publicJwk: JSON.stringify(wrong) }));
  }
});

test('receipts and their keys are never changed or removed, not even by the owner', async () => {
  await stage.verified();
  await receipts.tell();
  for (const table of ['receipts', 'receipt_keys']) {
    await refused('ZD001', stage.db.query(`update docket.${table} set key_id = key_id`));
    await refused('ZD001', stage.db.query(`delete from docket.${table}`));
    await refused('ZD001', stage.db.query(`truncate docket.${table} cascade`));
  }
});
