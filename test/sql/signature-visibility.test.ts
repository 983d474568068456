import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { plantReceipt, RECEIPT } from '../server/planted-receipt.ts';
import { createTestDatabase } from '../support/database.ts';
import { asToken, type Token } from './as-token.ts';
import { FurtherStage } from './further-stage.ts';
import { randomHash } from './stage.ts';
import { signatureReport, verifySigned } from './verify-signed.ts';

// One document, delivered by two sources: carrier-a brought the evidence, with a signature inside the scan and one beside it.

const database = await createTestDatabase();
let job = '';

before(async () => {
  const further = await FurtherStage.open(database);
  const sha256 = randomHash();
  job = await further.stage.deliver({ sha256, locator: 'memory:a' });
  await further.stage.admit();
  await verifySigned(further.stage, await further.stage.begin(job, 'hash'), [
    { place: 'envelope', reports: [signatureReport({ status: 'unknown_signer', format: 'cms' })] },
    { place: 'embedded', reports: [signatureReport({ status: 'revoked' })] },
  ]);
  await plantReceipt(further.stage, job);
  const delivery = await further.deliver({ sha256, locator: 'memory:b' }, further.other);
  await further.stage.admit();
  await further.claim();
  assert.deepEqual(await further.record({ [delivery]: null }), { [delivery]: 'verified' });
});

/** What a token for a source is answered. */
async function seen(source: string, query: string, role: Token['role'] = 'analyst'): Promise<unknown[]> {
  const { rows } = await asToken(database, { role, sources: [source] }, query, [job]);
  return rows;
}

const SIGNATURES = `select signature_no, delivery_id is not null as has_delivery, place, status
  from docket_api.signatures where document_id = $1 order by signature_no`;

test('the source that delivered both sees the envelope and what is in the scan', async () => {
  const [first, second] = (await seen('carrier-a', SIGNATURES)) as Record<string, unknown>[];
  assert.deepEqual(
    [first, second],
    [
      { signature_no: 1, has_delivery: true, place: 'embedded', status: 'revoked' },
      { signature_no: 2, has_delivery: true, place: 'envelope', status: 'unknown_signer' },
    ],
  );
});

test('another source that has the same scan sees what is in it, without the delivery, and no envelope', async () => {
  const inside = [{ signature_no: 1, has_delivery: false, place: 'embedded', status: 'revoked' }];
  for (const role of ['analyst', 'evidence_owner', 'auditor'] as const) {
    assert.deepEqual(await seen('carrier-b', SIGNATURES, role), inside, role);
  }
});

test('who sees no delivery of a document sees nothing of its signatures', async () => {
  assert.deepEqual(await seen('carrier-c', SIGNATURES), []);
  assert.deepEqual(await seen('carrier-c', 'select from docket_api.documents where document_id = $1'), []);
});

test('the summary counts what the reader sees', async () => {
  const query = `select is_signed, signature_status, statement like '%2 signatures%' as speaks_of_two
    from docket_api.documents where document_id = $1`;
  assert.deepEqual(await seen('carrier-a', query), [
    { is_signed: false, signature_status: 'revoked', speaks_of_two: true },
  ]);
  assert.deepEqual(await seen('carrier-b', query), [
    { is_signed: false, signature_status: 'revoked', speaks_of_two: false },
  ]);
});

test('a receipt is seen where its source is', async () => {
  const receipts = `select r.outcome from docket_api.receipts r where $1::uuid is not null`;
  assert.deepEqual(await seen('carrier-a', receipts), [{ outcome: 'RECE' }]);
  assert.deepEqual(await seen('carrier-b', receipts), []);
  const told = `select s.source_id, s.outcome, s.statement from docket_api.submissions s where s.document_id = $1`;
  assert.deepEqual(await seen('carrier-a', told), [
    { source_id: 'carrier-a', outcome: 'RECE', statement: RECEIPT.statement },
  ]);
  assert.deepEqual(await seen('carrier-b', told), [
    { source_id: 'carrier-b', outcome: null, statement: null },
  ]);
});
