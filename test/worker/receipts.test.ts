import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compactVerify, createLocalJWKSet, type JWK } from 'jose';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { addReceiptKey } from '../../src/receipts/key-file.ts';
import { openReceiptSigner } from '../../src/receipts/signer.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import { spawnWorker } from './spawn-worker.ts';

const fixture = await createFixture();
const signer = (await openReceiptSigner(fixture.config, { mayMake: true }))!;

/** Outcome, key and JWS of each receipt of a document, in order. */
async function receiptsOf(job: string) {
  const { rows } = await fixture.db.query<{
    outcome: string;
    code: string | null;
    key_id: string;
    jws: string;
  }>('select outcome, code, key_id, jws from docket.receipts where job_id = $1 order by receipt_no', [job]);
  return rows;
}

/** Verifies by the recorded keys; answers the payload. */
async function verify(jws: string): Promise<Record<string, unknown>> {
  const { rows } = await fixture.db.query<{ public_jwk: string }>(
    'select public_jwk from docket.receipt_keys',
  );
  const keys = createLocalJWKSet({ keys: rows.map((row) => JSON.parse(row.public_jwk) as JWK) });
  const { payload } = await compactVerify(jws, keys, { algorithms: ['EdDSA'] });
  return JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>;
}

const receiptsAfter = (job: string, outcomes: readonly string[]) =>
  eventually(`${outcomes.join(', ')} is told`, async () => {
    const rows = await receiptsOf(job);
    return rows.length === outcomes.length && rows;
  });

test('a worker tells senders what became of their deliveries, by the key that is in use', async () => {
  const worker = await fixture.startWorker(createNullEngine(), { signer });
  const object = await fixture.put('received');
  const [job] = await fixture.deliver(object);
  const [told] = await receiptsAfter(job!, ['RECE']);
  const said = await verify(told!.jws);
  assert.deepEqual([said['iss'], said['sub'], said['outcome']], ['docket', 'carrier-a', 'RECE']);

  const [missing] = await fixture.deliver({ ...object, sha256: Buffer.alloc(32, 7) });
  const [refused] = await receiptsAfter(missing!, ['BENV']);
  assert.equal(refused!.code, 'HASH_MISMATCH');

  const { kid } = await addReceiptKey(fixture.config.receiptKeyFile);
  const [later] = await fixture.deliver(await fixture.put('after the rotation'));
  const [next] = await receiptsAfter(later!, ['RECE']);
  assert.equal(next!.key_id, kid);
  assert.notEqual(told!.key_id, kid);
  assert.equal((await verify(next!.jws))['outcome'], 'RECE');
  assert.equal((await verify(told!.jws))['outcome'], 'RECE', 'earlier receipts stay verifiable');
  await worker.stop();
});

test('a worker without keys leaves receipts to those who have them', async () => {
  const without = await fixture.startWorker(createNullEngine());
  const [job] = await fixture.deliver(await fixture.put('told later'));
  await eventually('it is published', async () => (await fixture.states([job!]))[0] === 'published');
  assert.deepEqual(await receiptsOf(job!), []);
  await without.stop();
  const worker = await fixture.startWorker(createNullEngine(), { signer });
  await receiptsAfter(job!, ['RECE']);
  await worker.stop();
});

for (const { when, told } of [
  { when: 'before', told: 0 },
  { when: 'after', told: 1 },
] as const) {
  test(`a worker that is killed ${when} it hands back a receipt loses none, and none is told twice`, async () => {
    const [job] = await fixture.deliver(await fixture.put(`killed ${when}`));
    const dying = spawnWorker({
      config: fixture.config,
      recogniseMs: 0,
      dieAt: { pattern: 'record_receipts', call: 1, when },
    });
    assert.equal((await dying.exited).signal, 'SIGKILL');
    assert.equal((await receiptsOf(job!)).length, told);
    await fixture.db.query(`update docket.receipt_orders set handed_out_until = '2026-01-01'`);
    const rescuer = await fixture.startWorker(createNullEngine(), { signer });
    await eventually('it is published', async () => (await fixture.states([job!]))[0] === 'published');
    await eventually('nothing is left to tell', async () => {
      const { rowCount } = await fixture.db.query('select from docket.receipt_orders where job_id = $1', [
        job,
      ]);
      return rowCount === 0;
    });
    const outcomes = (await receiptsOf(job!)).map((row) => row.outcome);
    assert.equal(outcomes.at(-1), 'RECE');
    assert.equal(outcomes.filter((outcome) => outcome === 'RECE').length, 1);
    await rescuer.stop();
  });
}
