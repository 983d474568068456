import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/rows.ts';
import type {
  CheckpointPlace,
  MadeCheck,
  ReplayFacts,
  StatedDelivery,
} from '../../report/certificate/facts.ts';
import { recordBroken } from './record-broken.ts';

/** Deliveries of a document whose bytes were seen to match, as their senders stated them. */
export async function statedDeliveries(reader: Kysely<Database>, jobId: string): Promise<StatedDelivery[]> {
  const { rows } = await sql<StatedDelivery>`
    select d.delivery_id as "deliveryId", d.source_id as source, d.submitted_by as "submittedBy", d.received_at as "receivedAt",
      d.document_kind as kind, d.captured_at as "capturedAt", d.document_date::text as "documentDate",
      d.scan_number as "scanNumber", d.signer::text as signer
    from docket.deliveries d
    where d.job_id = ${jobId}::uuid
      and exists (select from docket.document_sources s where s.job_id = d.job_id and s.source_id = d.source_id)
    order by d.delivery_id`.execute(reader);
  return rows;
}

/** Where checkpoints are kept outside, as the signer said. */
export async function checkpointPlaces(reader: Kysely<Database>): Promise<CheckpointPlace[]> {
  const rows = await reader
    .selectFrom('docket_audit.checkpoint_places')
    .select(['place', 'kind', 'size', 'copied_at as copiedAt', 'failure'])
    .orderBy('kind')
    .orderBy('place')
    .execute();
  return rows;
}

/** The newest replay that looked at a document. */
export function newestReplay(reader: Kysely<Database>, jobId: string): Promise<ReplayFacts | undefined> {
  return reader
    .selectFrom('docket.replayed_documents as d')
    .innerJoin('docket.replay_runs as r', 'r.replay_id', 'd.replay_id')
    .select(['d.replay_id as replayId', 'd.outcome', 'd.replayed_at as at', 'r.is_reread as isReread'])
    .where('d.job_id', '=', jobId)
    .orderBy('d.replay_id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Has the database check all that it holds of a document. Throws RECORD_BROKEN where a check fails. */
export async function checkInDatabase(reader: Kysely<Database>, jobId: string): Promise<MadeCheck[]> {
  const { rows } = await sql<{
    checked: string;
    count: string;
    failed: string;
    offender: string | null;
    expected: string | null;
    found: string | null;
  }>`
    select checked, checked_count as count, failed_count as failed, first_offender as offender, expected, found
    from docket.verify_document(${jobId}::uuid)`.execute(reader);
  const bad = rows.find(({ failed }) => failed !== '0');
  if (bad) {
    throw recordBroken(
      `${bad.checked}, ${bad.offender ?? ''}: expected ${bad.expected ?? 'nothing'}, found ${bad.found ?? 'nothing'}`,
    );
  }
  return rows.filter(({ count }) => count !== '0').map(({ checked, count }) => ({ checked, count }));
}
