import { DocketError } from '../errors.ts';
import { checked, statement } from './statement.ts';

/** What is needed of a connection to Postgres: a client or pool of `pg`, or anything like it. */
export interface Connection {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A row that was inserted, and the job of its bytes. */
export interface Delivery {
  readonly deliveryId: string;
  /** The same for every delivery of the same bytes. */
  readonly jobId: string;
}

/** Inserts one row into docket.submissions. Throws CLIENT_INPUT, and what Postgres raises. */
export async function submit(connection: Connection, given: unknown): Promise<Delivery> {
  const { sourceId, scan, ...stated } = checked(statement, given);
  const values: Record<string, unknown> = {
    source_id: sourceId,
    sha256: Buffer.from(scan.sha256, 'hex'),
    locator: scan.object,
    version: scan.version,
    size_bytes: scan.sizeBytes,
    media_type: stated.mediaType,
    captured_at: stated.capturedAt.toISOString(),
    document_kind: stated.documentKind,
    document_date: stated.documentDate,
    signer: stated.signer && JSON.stringify(stated.signer),
    envelope: stated.envelope && Buffer.from(stated.envelope),
    encryption: stated.encryption,
    scan_number: stated.scanNumber,
  };
  // What is not stated is left to the defaults of the table.
  const columns = Object.keys(values).filter((column) => values[column] !== undefined);
  const { rows } = await connection.query(
    `insert into docket.submissions (${columns.join(', ')})
     values (${columns.map((_, place) => `$${place + 1}`).join(', ')})
     returning delivery_id::text as delivery_id, job_id::text as job_id`,
    columns.map((column) => values[column]),
  );
  const [row] = rows as { delivery_id: string; job_id: string }[];
  if (!row) throw new DocketError('SERVER_REFUSED', 'the database did not return the row');
  return { deliveryId: row.delivery_id, jobId: row.job_id };
}
