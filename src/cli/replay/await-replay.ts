import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { replayStanding, type ReplayStanding } from './replay-standing.ts';

const LOOK_EVERY_MS = 250;

/**
 * Waits until a replay has ended; calls `onLook` after each look. Rejects with ZD057 where there is no such replay, and with the
 * signal's reason when aborted.
 */
export async function awaitReplay(
  reader: Kysely<Database>,
  replay: number,
  options: { signal: AbortSignal; onLook?: (standing: ReplayStanding) => void },
): Promise<ReplayStanding> {
  for (;;) {
    options.signal.throwIfAborted();
    const standing = await replayStanding(reader, replay);
    options.onLook?.(standing);
    if (standing.ended_at !== null) return standing;
    await delay(LOOK_EVERY_MS, undefined, { signal: options.signal }).catch(() => undefined);
  }
}
