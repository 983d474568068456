import type { Kysely } from 'kysely';
import type { Database } from '../db/rows.ts';
import { isoTime } from './iso-time.ts';
import { textTable } from './text-table.ts';

/** A result that was published, or superseded the one before. */
export interface PastResult {
  /** Event by which it became the result of the document. */
  readonly seq: number;
  readonly event: string;
  readonly published_at: string;
  /** Null while it is the current one. */
  readonly superseded_at: string | null;
  readonly is_current: boolean;
  /** Salted hash, in hex: by this it is cited. */
  readonly result_sha256: string;
  /** The one that it superseded. */
  readonly supersedes: string | null;
  /** What is not there any more is null: of a document that was disposed of. */
  readonly attempt: number | null;
  /** OCR configuration that it was read by; null: from before there were several. */
  readonly ocr_version: number | null;
  readonly config_sha256: string | null;
  readonly rereading: string | null;
  readonly pages: number | null;
  readonly confidence: number | null;
}

/** Every result that a document ever had, in their order: the last one is current. None while none is published. */
export async function resultHistory(reader: Kysely<Database>, jobId: string): Promise<PastResult[]> {
  const rows = await reader
    .selectFrom('docket.result_history')
    .selectAll()
    .where('job_id', '=', jobId)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({
    seq: row.seq ?? 0,
    event: row.event ?? '',
    published_at: isoTime(row.published_at ?? ''),
    superseded_at: isoTime(row.superseded_at),
    is_current: row.is_current ?? false,
    result_sha256: row.result_sha256 ?? '',
    supersedes: row.supersedes,
    attempt: row.attempt,
    ocr_version: row.ocr_version,
    config_sha256: row.config_sha256,
    rereading: row.rereading_id,
    pages: row.page_count,
    confidence: row.confidence,
  }));
}

/** The results as a table under a heading, where there is more than one; else nothing. */
export function historyText(results: readonly PastResult[]): string[] {
  if (results.length < 2) return [];
  return [
    '',
    `It was read again: ${results.length === 2 ? 'an earlier result is' : `${results.length - 1} earlier results are`} superseded, and can still be cited by the hash.`,
    textTable(
      ['result', 'attempt', 'configuration', 'pages', 'confidence', 'since', 'until'],
      results.map((one) => [
        one.result_sha256.slice(0, 16),
        one.attempt,
        one.ocr_version,
        one.pages,
        one.confidence,
        `${one.published_at} (event ${one.seq})`,
        one.superseded_at ?? 'now',
      ]),
    ),
  ];
}
