import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../db/rows.ts';

const LOOK_EVERY_MS = 200;

/** How waiting ended: how many documents are under way, and whether admission is still closed to all. */
interface Drained {
  readonly underWay: number;
  readonly isClosed: boolean;
}

/**
 * Waits until no document is under way: none that was admitted and is neither published nor quarantined. Answers when the
 * time is over or the signal is aborted too, and when admission was opened again. Calls `onLook` with their number.
 */
export async function awaitDrained(
  reader: Kysely<Database>,
  options: { withinMs: number; signal: AbortSignal; onLook: (underWay: number) => void },
): Promise<Drained> {
  const deadline = performance.now() + options.withinMs;
  for (;;) {
    const { count, closed } = await reader
      .selectFrom('docket.jobs')
      .where('next_task', 'is not', null)
      .select([
        sql<number>`count(*)::float8`.as('count'),
        sql<boolean>`exists (select from docket.control_states s
          where s.control = 'admission' and s.target = 'all' and s.value is not null)`.as('closed'),
      ])
      .executeTakeFirstOrThrow();
    options.onLook(count);
    if (count === 0 || !closed || options.signal.aborted || performance.now() >= deadline)
      return { underWay: count, isClosed: closed };
    await delay(LOOK_EVERY_MS, undefined, { signal: options.signal }).catch(() => undefined);
  }
}
