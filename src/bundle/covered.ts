import { setTimeout as sleep } from 'node:timers/promises';
import type { CoveringCheckpointRow, Queryable } from '../db/commands.ts';
import { coveringCheckpoint } from '../db/commands.ts';
import { DocketError } from '../errors.ts';

const LOOK_EVERY_MS = 200;

/**
 * Waits for a checkpoint that covers every event that these documents have now, such as that they are read. Throws NOT_SEALED where
 * none comes in time, ZD020, or the signal's reason.
 */
export async function waitUntilCovered(
  db: Queryable,
  { jobs, waitMs, signal }: { jobs: readonly string[]; waitMs: number; signal: AbortSignal },
): Promise<CoveringCheckpointRow> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const [newest] = await coveringCheckpoint(db, { jobs });
    // Null, where all are covered.
    const uncovered = newest && (newest.uncovered_job as string | null);
    if (newest && uncovered === null) return newest;
    if (Date.now() >= deadline) {
      const why = newest
        ? `no checkpoint covers all events of document ${uncovered ?? ''} yet`
        : 'there is no checkpoint yet';
      throw new DocketError('NOT_SEALED', why, {
        hint: 'checkpoints are made by a worker that has the key of the log: docket worker, docs/checkpoints.md',
      });
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}
