import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { isoTime } from '../iso-time.ts';

/** An event of the log itself that a rollback is told by. */
interface RollbackEvent {
  readonly at: string;
  readonly event: string;
  readonly actor: string;
  readonly reason: string | null;
}

/** A document that is quarantined by what the withdrawn OCR configuration read. */
interface QuarantinedDocument {
  readonly job_id: string;
  readonly document_kind: string | null;
  readonly code: string | null;
}

/** How a rollback stands, and what it left. */
export interface RollbackStanding {
  readonly rollback: number;
  readonly from: number;
  readonly to: number;
  readonly reason: string;
  readonly ordered_by: string;
  /** The alert for which it began by itself. */
  readonly alert: number | null;
  readonly began_at: string;
  readonly drain_until: string;
  /** What is to be done next: close, drain, restore, reopen; or done. */
  readonly step: string;
  readonly taken_back: number;
  readonly failures: number;
  readonly failure: string | null;
  readonly ended_at: string | null;
  /** Seconds that it took, or takes until now. */
  readonly seconds: number;
}

/** What the withdrawn OCR configuration left; null: it is the first one, whose documents are not counted. */
export interface LeftDocuments {
  readonly published: number;
  readonly validated: number;
  readonly quarantined: number;
}

/** Rollbacks, the newest first: so many at most, or the one with this number. */
export async function rollbackStandings(
  reader: Kysely<Database>,
  { rollback, limit = 1 }: { rollback?: number; limit?: number },
): Promise<RollbackStanding[]> {
  const rows = await reader
    .selectFrom('docket.rollbacks')
    .selectAll()
    .select(
      sql<number>`extract(epoch from coalesce(ended_at, clock_timestamp()) - began_at)::float8`.as('seconds'),
    )
    .$if(rollback !== undefined, (query) => query.where('rollback_id', '=', rollback ?? 0))
    .orderBy('rollback_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    rollback: row.rollback_id,
    from: row.from_version,
    to: row.to_version,
    reason: row.reason,
    ordered_by: row.ordered_by,
    alert: row.alert_id === null ? null : Number(row.alert_id),
    began_at: isoTime(row.began_at),
    drain_until: isoTime(row.drain_until),
    step: row.step,
    taken_back: row.taken_back ?? 0,
    failures: row.failures,
    failure: row.failure,
    ended_at: isoTime(row.ended_at),
    seconds: row.seconds,
  }));
}

/** What happened in a rollback, as the log has it: its own events, and the changes of admission that it made. */
export async function rollbackEvents(
  reader: Kysely<Database>,
  { rollback, began_at: began }: RollbackStanding,
): Promise<RollbackEvent[]> {
  const { rows } = await sql<RollbackEvent>`
    select e.at, e.event, e.actor, e.reason
    from docket.job_timeline e
    where e.job_id = '00000000-0000-0000-0000-000000000000' and e.at >= ${began}::timestamptz - interval '1 s'
      and e.detail ->> 'rollback' = ${String(rollback)}
    order by e.seq`.execute(reader);
  return rows.map((row) => ({ ...row, at: isoTime(row.at) }));
}

/** Documents that stand as a withdrawn OCR configuration left them: the quarantined ones, so many at most. */
export async function quarantinedBy(
  reader: Kysely<Database>,
  version: number,
  limit: number,
): Promise<QuarantinedDocument[]> {
  if (version === 1) return [];
  const rows = await reader
    .selectFrom('docket.ocr_version_documents')
    .select(['job_id', 'document_kind', 'code'])
    .where('ocr_version', '=', version)
    .where('state', '=', 'quarantined')
    .orderBy('state_at')
    .orderBy('job_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, job_id: String(row.job_id) }));
}
