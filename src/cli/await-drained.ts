import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../db/rows.ts';

const LOOK_EVERY_MS = 200;

/**
 * Waits until no document is under way: none that was admitted and is neither published nor quarantined. Answers how many
 * are left when the time is over. Calls `onLook` with their number. Rejects with the signal's reason when aborted.
 */
export async function awaitDrained(
  reader: Kysely<Database>,
  options: { withinMs: number; signal: AbortSignal; onLook: (underWay: number) => void },
): Promise<number> {
  const deadline = performance.now() + options.withinMs;
  for (;;) {
    options.signal.throwIfAborted();
    const { count } = await reader
      .selectFrom('docket.jobs')
      .where('next_task', 'is not', null)
      .select(sql<number>`count(*)::float8`.as('count'))
      .executeTakeFirstOrThrow();
    options.onLook(count);
    if (count === 0 || performance.now() >= deadline) return count;
    await delay(LOOK_EVERY_MS, undefined, { signal: options.signal }).catch(() => undefined);
  }
}
