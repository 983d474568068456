import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { trialStanding, type Trial } from './trial-standing.ts';

const LOOK_EVERY_MS = 500;

/** Waits until a trial has ended; calls `onLook` after each look. Rejects with TRIAL_NOT_FOUND, and with the signal's reason when aborted. */
export async function awaitTrial(
  reader: Kysely<Database>,
  trial: number,
  options: { signal: AbortSignal; onLook: (standing: Trial) => void },
): Promise<Trial> {
  for (;;) {
    options.signal.throwIfAborted();
    const standing = await trialStanding(reader, trial);
    options.onLook(standing);
    if (standing.endedAt !== null) return standing;
    await delay(LOOK_EVERY_MS, undefined, { signal: options.signal }).catch(() => undefined);
  }
}
