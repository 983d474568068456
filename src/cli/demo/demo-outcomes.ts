import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/rows.ts';
import type { ReportReceipt, ReportStanding } from '../../report/report.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { DeliveredScan } from './deliver-demo.ts';

/** What became of one delivery. */
export interface DemoOutcome extends DeliveredScan {
  /** State of its job. */
  readonly state: string;
  /** Why it is quarantined. */
  readonly code: string | null;
  /** The file that brought the same bytes first, or a word for a delivery of an earlier run; null for a first one. */
  readonly duplicateOf: string | null;
  /** Media type found in the bytes, else what was stated. */
  readonly mediaType: string;
  readonly pageCount: number;
  readonly confidence: number | null;
  readonly firstWords: string;
  /** Whether its newest replay failed. */
  readonly isDisputed: boolean;
  readonly resultSha256: string | null;
  readonly configSha256: string | null;
  readonly engine: string | null;
  /** What the worker said of the failure. */
  readonly message: string | null;
  /** What may be said of it in two words, and all that can be said of its signatures. */
  readonly standing: ReportStanding;
  readonly statement: string;
  /** What the sender of this delivery was told last. */
  readonly receipt: ReportReceipt | null;
}

interface Row {
  job_id: string;
  state: string;
  code: string | null;
  first_delivery: string;
  media_type: string | null;
  page_count: number | null;
  confidence: number | null;
  first_words: string | null;
  result_sha256: string | null;
  config_sha256: string | null;
  engine: string | null;
  message: string | null;
  is_signed: boolean;
  is_verified: boolean;
  is_disputed: boolean;
  statement: string;
}

/** Reads what became of the deliveries, in their order. */
export async function readOutcomes(
  { reader }: DatabaseAccess,
  deliveries: readonly DeliveredScan[],
): Promise<DemoOutcome[]> {
  const { rows } = await sql<Row>`
    select o.job_id, o.state, o.first_code as code, coalesce(e.delivery_id, j.delivery_id) as first_delivery,
      o.media_type, o.page_count, o.confidence, o.first_words, o.result_sha256, o.config_sha256, c.engine,
      (select a.message from docket.attempts a where a.job_id = o.job_id and a.message is not null
        order by a.attempt desc limit 1) as message,
      o.verified_at is not null as is_verified, o.is_disputed, s.is_signed, s.statement
    from docket.document_overview o
    join docket.jobs j on j.job_id = o.job_id
    cross join lateral docket.seen_signature(o.job_id) s
    left join docket.evidence e on e.job_id = o.job_id
    left join docket.ocr_configs c on encode(c.config_sha256, 'hex') = o.config_sha256
    where o.job_id = any (${deliveries.map((one) => one.jobId)}::uuid[])`.execute(reader);
  const receipts = await readReceipts(reader, deliveries);
  const jobs = new Map(rows.map((row) => [row.job_id, row]));
  const files = new Map(deliveries.map((one) => [one.deliveryId, one.file]));
  return deliveries.map((delivery) => {
    const row = jobs.get(delivery.jobId);
    const first = row?.first_delivery ?? delivery.deliveryId;
    return {
      ...delivery,
      state: row?.state ?? 'none',
      code: row?.state === 'quarantined' ? row.code : null,
      duplicateOf: first === delivery.deliveryId ? null : (files.get(first) ?? 'an earlier run'),
      mediaType: row?.media_type ?? delivery.stored.mediaType,
      pageCount: row?.page_count ?? 0,
      confidence: row?.confidence ?? null,
      firstWords: row?.first_words ?? '',
      isDisputed: row?.is_disputed ?? false,
      resultSha256: row?.result_sha256 ?? null,
      configSha256: row?.config_sha256 ?? null,
      engine: row?.engine ?? null,
      message: row?.message ?? null,
      standing: row?.is_signed ? 'signed' : row?.is_verified ? 'received' : 'claimed',
      statement: row?.statement ?? '',
      receipt: receipts.get(delivery.deliveryId) ?? null,
    };
  });
}

async function readReceipts(
  reader: Kysely<Database>,
  deliveries: readonly DeliveredScan[],
): Promise<Map<string, ReportReceipt>> {
  const rows = await reader
    .selectFrom('docket.receipts')
    .select(['delivery_id', 'outcome', 'code', 'issued_at as issuedAt'])
    .where(
      'delivery_id',
      'in',
      deliveries.map((one) => one.deliveryId),
    )
    .orderBy('receipt_no')
    .execute();
  return new Map(rows.map(({ delivery_id, ...receipt }) => [delivery_id, receipt]));
}

/** In words, each outcome that is not the one expected; none if all is well. */
export function surprises(outcomes: readonly DemoOutcome[]): string[] {
  const jobs = new Map(outcomes.map((one) => [one.file, one.jobId]));
  return outcomes.flatMap(({ file, expected, state, code, jobId }) => {
    if (expected === undefined) return [];
    if (expected.state === 'duplicate') {
      return jobId === jobs.get(expected.of) ? [] : [`${file} is not the document of ${expected.of}`];
    }
    const wanted = expected.state === 'quarantined' ? `quarantined, ${expected.code}` : expected.state;
    const got = code === null ? state : `${state}, ${code}`;
    return got === wanted ? [] : [`${file} is ${got}; expected ${wanted}`];
  });
}
