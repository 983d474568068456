import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { startClaimedWork } from './claimed-work.ts';
import type { SlotPool } from './slot-pool.ts';

/** It has time; the documents under way have not. One at a time unless told otherwise, and as long a rest as each has taken. */
export const AUDITS_AT_ONCE = 1;
const REST = 1;

/** A piece of work on a published document. Records how it ended; never rejects. */
export type AuditPiece = (stopping: AbortSignal) => Promise<void>;

/** One kind of work on published documents: claims so many pieces of it at most. */
export type AuditWork = (limit: number) => Promise<readonly AuditPiece[]>;

/**
 * Starts the pool `audit`, whose slots several kinds of work share: they take turns, and one has the slots that the others leave.
 * It has no slots at first. `stop` hands back what is under way, and never rejects.
 */
export function startAuditPool(options: { kinds: readonly AuditWork[]; log: Log }): {
  pool: SlotPool;
  stop(): Promise<void>;
} {
  const { log } = options;
  const claim = takingTurns(options.kinds, log);
  const pieces = startClaimedWork({
    name: 'audit',
    everyMs: 50,
    idleMs: 1_000,
    atOnce: 0,
    log,
    claim,
    async work(piece: AuditPiece, stopping) {
      const startedMs = performance.now();
      await piece(stopping);
      const restMs = (performance.now() - startedMs) * REST;
      await delay(restMs, undefined, { signal: stopping }).catch(() => undefined);
    },
  });
  return {
    pool: {
      name: 'audit',
      open: () => pieces.open(),
      resize(slots) {
        pieces.resize(slots);
        return Promise.resolve();
      },
    },
    stop: () => pieces.stop(),
  };
}

/**
 * Claims from every kind its share, beginning with another one each time. Rejects only where nothing was claimed: what was claimed is
 * always answered, since nobody else would do it.
 */
export function takingTurns(kinds: readonly AuditWork[], log: Log): AuditWork {
  let turn = 0;
  return async (limit) => {
    const order = [...kinds.slice(turn), ...kinds.slice(0, turn)];
    turn = (turn + 1) % kinds.length;
    const pieces: AuditPiece[] = [];
    const failures: unknown[] = [];
    const take = async (kind: AuditWork, most: number): Promise<boolean> => {
      if (most <= 0) return false;
      try {
        const claimed = await kind(most);
        pieces.push(...claimed);
        return claimed.length === most;
      } catch (error) {
        failures.push(error);
        return false;
      }
    };
    let first: AuditWork | undefined;
    for (const [index, kind] of order.entries()) {
      const share = Math.ceil((limit - pieces.length) / (order.length - index));
      if (await take(kind, share)) first ??= kind;
    }
    // what the others left, to one that may have more
    if (first !== undefined) await take(first, limit - pieces.length);
    if (pieces.length === 0 && failures.length > 0) throw failures[0];
    for (const err of failures) log.warn({ err }, 'work on published documents was not claimed');
    return pieces;
  };
}
