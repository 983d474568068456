import { randomUUID } from 'node:crypto';
import type pg from 'pg';

type Queryable = Pick<pg.Pool, 'query'>;

/** A key for receipts that sign nothing. */
export async function addKeyOfReceipts(db: Queryable): Promise<void> {
  await db.query(
    `insert into docket.receipt_keys (key_id, public_jwk, added_by) values ('key', '{}', 'test')`,
  );
}

let seq = 0;

/** Records a receipt of a document, and has it sent to the webhooks of the source, as record_receipts does; answers its id. */
export async function issueReceipt(db: Queryable, source: string, job: string): Promise<string> {
  const receipt = randomUUID();
  await db.query(
    `insert into docket.receipts (receipt_id, delivery_id, source_id, job_id, seq, outcome, code, issued_at, key_id, jws)
     values ($1, 7, $2, $3, $4, 'BENV', 'HASH_MISMATCH', '2026-11-30 08:00:00+01', 'key', 'a.b.c')`,
    [receipt, source, job, (seq += 1)],
  );
  await db.query('select docket.order_webhooks($1)', [[receipt]]);
  return receipt;
}
