import type { Stage } from '../sql/stage.ts';

/** The receipt that is planted. */
export const RECEIPT = {
  id: '0191d0c4-7e57-7000-8000-000000000001',
  statement: 'Bytes received. It has no signature.',
} as const;

/** Tells the sender of a document that its bytes were received; what it is told is signed by nobody. */
export async function plantReceipt(
  stage: Stage,
  job: string,
  statement: string = RECEIPT.statement,
): Promise<void> {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const jws = [
    { alg: 'EdDSA', kid: 'key' },
    { jti: RECEIPT.id, statement },
  ].map(part);
  await stage.db.query(
    `insert into docket.receipt_keys (key_id, public_jwk, added_by) values ('key', '{}', 'test')`,
  );
  await stage.db.query(
    `insert into docket.receipts (receipt_id, delivery_id, source_id, job_id, seq, outcome, code, issued_at, key_id, jws)
     select $2, e.delivery_id, e.source_id, e.job_id, 3, 'RECE', null, e.verified_at, 'key', $3
     from docket.evidence e
     where e.job_id = $1`,
    [job, RECEIPT.id, `${jws.join('.')}.c2lnbmF0dXJl`],
  );
}
