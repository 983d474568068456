import type { Kysely } from 'kysely';
import type { Database } from '../db/rows.ts';
import { isoTime } from './iso-time.ts';

/** What is said first of a document whose newest replay failed; nothing of others. */
export async function disputeOf(reader: Kysely<Database>, jobId: string): Promise<readonly string[]> {
  const dispute = await reader
    .selectFrom('docket.disputed_documents')
    .select(['replay_id', 'disputed_at'])
    .where('job_id', '=', jobId)
    .executeTakeFirst();
  if (!dispute) return [];
  const { replay_id: replay, disputed_at: at } = dispute;
  return [
    `Disputed: replay ${replay} failed at ${isoTime(at)}, something of it is not what the log says. docket replay show ${replay}`,
  ];
}
