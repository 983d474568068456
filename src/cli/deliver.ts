import type pg from 'pg';
import type { StoredScan } from './scan-files.ts';
import { typedQueries } from './typed-queries.ts';

/** What a sender states of a stored scan. */
export interface Statement {
  readonly scan: StoredScan;
  readonly sourceId: string;
  readonly documentKind: string;
  readonly capturedAt: Date;
  /** Default: the hash of what was stored. */
  readonly sha256?: Buffer | undefined;
  /** A signature over the bytes that lies beside them. */
  readonly envelope?: Buffer | undefined;
  /** Number of the scan in the count of its source. */
  readonly scanNumber?: number | undefined;
}

export interface Delivery {
  readonly deliveryId: string;
  readonly jobId: string;
}

/** Delivers scans as any sender does: one row each, in one statement. Answers in their order. */
export async function deliver(sender: pg.Pool, statements: readonly Statement[]): Promise<Delivery[]> {
  const rows = await typedQueries(sender)
    .insertInto('docket.submissions')
    .values(
      statements.map(({ scan, sourceId, documentKind, capturedAt, sha256, envelope, scanNumber }) => ({
        source_id: sourceId,
        sha256: sha256 ?? scan.sha256,
        locator: scan.locator,
        version: scan.version,
        size_bytes: String(scan.sizeBytes),
        media_type: scan.mediaType,
        captured_at: capturedAt.toISOString(),
        document_kind: documentKind,
        envelope: envelope ?? null,
        scan_number: scanNumber === undefined ? null : String(scanNumber),
      })),
    )
    .returning(['delivery_id', 'job_id'])
    .execute();
  return rows.map((row) => ({ deliveryId: row.delivery_id ?? '', jobId: row.job_id ?? '' }));
}
