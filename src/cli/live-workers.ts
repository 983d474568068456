import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../db/rows.ts';

/** Told where documents wait for somebody to take them up. */
export const NO_WORKER = 'No worker is at work: docket worker, or docket up.';

/** How many worker processes hold a lease that has not run out. */
export async function countWorkers(reader: Kysely<Database>): Promise<number> {
  const { workers } = await reader
    .selectFrom('docket.leases')
    .where('closed_at', 'is', null)
    .where('deadline', '>', sql<string>`clock_timestamp()`)
    .select(sql<number>`count(*)::float8`.as('workers'))
    .executeTakeFirstOrThrow();
  return workers;
}
