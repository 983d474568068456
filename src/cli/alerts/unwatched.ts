import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { isoTime } from '../iso-time.ts';

/** Since when nobody looks whether something is wrong, where the last round was more than 30 seconds ago; else null. */
export async function unwatchedSince(reader: Kysely<Database>): Promise<string | null> {
  const row = await reader
    .selectFrom('docket.watch_rounds')
    .select('watched_at')
    .where(sql<boolean>`watched_at < clock_timestamp() - interval '30 seconds'`)
    .executeTakeFirst();
  return isoTime(row?.watched_at ?? null);
}
