import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { createTestDatabase } from '../support/database.ts';
import { ReceiptsStage, type Told } from './receipts-stage.ts';
import { result } from './stage.ts';

// Nothing is recorded but what was handed out last, to the letter, while it is true.

const receipts = await ReceiptsStage.open(await createTestDatabase());
const { stage } = receipts.further;

/** A document of which a worker was handed out that its bytes were received. */
async function handedOut(): Promise<{ delivery: string; job: string; claims: Told }> {
  const job = await stage.verified();
  const [claims] = await receipts.claim();
  assert.equal(claims?.document, job);
  return { delivery: claims.delivery.id, job, claims };
}

/** The steps of a transaction that stops a document, as the commands take them: what happened first, then the order. */
async function withChange(
  job: string,
  steps: (change: {
    happens(): Promise<void>;
    orders(): Promise<unknown>;
    client: pg.PoolClient;
  }) => Promise<void>,
): Promise<void> {
  const client = await stage.db.connect();
  try {
    await client.query('begin');
    await steps({
      client,
      async happens() {
        await client.query(
          `update docket.jobs set first_code = 'CORRUPT', last_code = 'CORRUPT' where job_id = $1`,
          [job],
        );
        await client.query(
          `select docket.record_events(array[$1::uuid], array['quarantined'], 'test', array['damaged'], array['CORRUPT'], null, null)`,
          [job],
        );
      },
      orders: () => client.query('select docket.order_receipts_of(array[$1::uuid])', [job]),
    });
    await client.query('commit');
  } finally {
    client.release();
  }
}

test('what changes while it is handed out is not seen, and so is not recorded once the change is there', async () => {
  const job = await stage.verified();
  const delivery = await receipts.deliveryOf(job);
  let claims: Told | undefined;
  await withChange(job, async ({ happens, orders }) => {
    await happens();
    [claims] = await receipts.claim();
    await orders();
  });
  assert.deepEqual([claims?.outcome, claims?.code], ['RECE', undefined]);
  assert.deepEqual(await receipts.record(await receipts.sign(claims!)), ['stale']);
  await receipts.tell();
  assert.deepEqual(await receipts.history(delivery), ['RECE CORRUPT']);
});

test('what somebody has changed but not committed is not recorded', async () => {
  const { delivery, job, claims } = await handedOut();
  const jws = await receipts.sign(claims);
  await withChange(job, async ({ happens, orders }) => {
    await happens();
    await orders();
    assert.deepEqual(await receipts.record(jws), ['stale']);
  });
  assert.deepEqual(await receipts.record(jws), ['stale']);
  await receipts.tell();
  assert.deepEqual(await receipts.history(delivery), ['RECE CORRUPT']);
});

test('what is recorded before a change orders was true, and the change is told after it', async () => {
  const { delivery, job, claims } = await handedOut();
  await withChange(job, async ({ happens, orders }) => {
    await happens();
    assert.deepEqual(await receipts.record(await receipts.sign(claims)), ['recorded']);
    await orders();
  });
  await receipts.tell();
  assert.deepEqual(await receipts.history(delivery), ['RECE', 'RECE CORRUPT']);
});

test('a document that the gates stopped meanwhile, who order nothing, is told of as it is now', async () => {
  const open = await stage.running();
  const [claims] = await receipts.claim();
  assert.deepEqual([claims?.document, claims?.code], [open.job_id, undefined]);
  await stage.record(open, result({ pages_declared: 2 }));
  const { state, last_code: code } = await stage.job(open.job_id);
  assert.equal(state, 'quarantined');
  assert.deepEqual(await receipts.record(await receipts.sign(claims!)), ['stale']);
  await receipts.tell();
  assert.deepEqual(await receipts.history(claims!.delivery.id), [`RECE ${String(code)}`]);
});

test('an order wipes out what was handed out before, though it turns out that nothing has changed', async () => {
  const { delivery, job, claims } = await handedOut();
  await stage.db.query('select docket.order_receipts_of(array[$1::uuid])', [job]);
  assert.deepEqual(await receipts.record(await receipts.sign(claims)), ['stale']);
  await receipts.tell();
  assert.deepEqual(await receipts.history(delivery), ['RECE']);
});

test('of two workers that were handed out the same, the later one alone has its receipt recorded', async () => {
  const { delivery, claims: late } = await handedOut();
  await stage.db.query(`update docket.receipt_orders set handed_out_until = '2026-01-01'`);
  const [claims] = await receipts.claim();
  assert.notEqual(claims?.jti, late.jti);
  assert.deepEqual(await receipts.record(await receipts.sign(late)), ['stale']);
  assert.deepEqual(await receipts.history(delivery), []);
  await receipts.tell();
  assert.deepEqual(await receipts.history(delivery), ['RECE']);
});

test('a receipt that says anything else than was handed out is not recorded', async () => {
  const delivery = await receipts.deliveryOf(await stage.verified());
  const other = await receipts.further.deliver({}, stage.sender);
  const changes: ((claims: Told) => object)[] = [
    () => ({ statement: 'Signed by the carrier over the whole document.' }),
    () => ({ statement: undefined }),
    () => ({ outcome: 'BSIG' }),
    () => ({ code: 'CORRUPT' }),
    () => ({ sub: 'carrier-b' }),
    () => ({ document: undefined }),
    () => ({ event: undefined }),
    ({ event }) => ({ event: { ...event, seq: 1 } }),
    ({ event }) => ({ event: { ...event, hash: '0'.repeat(64) } }),
    ({ delivery: stated }) => ({ delivery: { ...stated, size_bytes: stated.size_bytes + 1 } }),
    ({ iat }) => ({ iat: iat - 1 }),
    ({ iat }) => ({ iat: iat + 3600 }),
    () => ({ jti: '00000000-0000-4000-8000-000000000000' }),
    () => ({ remark: 'beside it' }),
    // the last of two members of one name counts; the first is the issuer here, as a receipt has it
    () => ({ iss: 'a","outcome":"BSIG' }),
  ];
  for (const change of changes) {
    const [claims] = await receipts.claim();
    assert.equal(claims?.delivery.id, delivery);
    const { iss, ...said } = { iss: 'test', ...claims, ...change(claims) };
    const text = JSON.stringify({ iss: 'test', ...said }).replace('"test"', `"${iss}"`);
    assert.deepEqual(await receipts.record(await receipts.signText(text)), ['stale'], text);
  }
  for (const [before, after] of [
    ['"iss":"test",', ''],
    ['"iss":"test",', '"iss":7,'],
    ['"iss":"test",', '"iss":"test","note":"beside it",'],
    ['"iss":"test",', '"iss": "test",'],
    ['"outcome"', ' "outcome"'],
  ] as const) {
    const [claims] = await receipts.claim();
    const text = JSON.stringify({ iss: 'test', ...claims }).replace(before, after);
    assert.deepEqual(await receipts.record(await receipts.signText(text)), ['stale'], text);
  }
  const [another] = await receipts.claim();
  const swapped = { ...another, delivery: { ...another?.delivery, id: other } };
  assert.deepEqual(await receipts.record(await receipts.sign(swapped)), ['stale']);
  await stage.db.query(`update docket.receipt_orders set handed_out_until = '2026-01-01'`);
  const [claims] = await receipts.claim(1);
  const issuer = 'an issuer, "so to speak", of C:\\docket';
  assert.deepEqual(await receipts.record(await receipts.sign({ ...claims, iss: issuer })), ['recorded']);
  assert.deepEqual(await receipts.history(delivery), ['RECE']);
});

test('a receipt that is handed back after more than a minute is not recorded', async () => {
  const { delivery, claims } = await handedOut();
  const iat = claims.iat - 61;
  const text = JSON.stringify({ ...claims, iat });
  await stage.db.query(
    `update docket.receipt_orders set claims_sha256 = sha256(convert_to($2, 'UTF8')) where delivery_id = $1`,
    [delivery, text],
  );
  assert.deepEqual(await receipts.record(await receipts.sign({ ...claims, iat })), ['stale']);
  await receipts.tell();
  assert.deepEqual(await receipts.history(delivery), ['RECE']);
});

test('what is handed out can be signed to the letter, whatever stands in it', async () => {
  const remedy = 'Tell "Spedition Müller & Söhne" <in C:\\Scans>\tor\u0001 ask → 受領.';
  await stage.db.query(`update docket.failure_codes set remedy = $1 where code = 'CORRUPT'`, [remedy]);
  const delivery = await receipts.deliveryOf(await stage.quarantined());
  const told = await receipts.told(delivery);
  assert.deepEqual([told.code, told.remedy], ['CORRUPT', remedy]);
  assert.deepEqual(await receipts.history(delivery), ['RECE CORRUPT']);
});
