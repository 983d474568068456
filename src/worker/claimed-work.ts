import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import { startLoop } from './loop.ts';

/** Work beside the attempts, which the database hands out piece by piece, each for a time. */
export interface ClaimedWork {
  /** Pieces that are under way, or may be claimed at any moment. */
  open(): number;
  /** Does so many pieces at a time from now on; what is under way beyond that is finished. */
  resize(atOnce: number): void;
  /** Hands back what is under way; resolves when that is recorded. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Claims pieces of work and does so many at a time. What a dead worker had under way is handed out again once its time is
 * over, so each piece may be done twice. `work` records how it ended, and never rejects.
 */
export function startClaimedWork<Piece>(options: {
  name: string;
  everyMs: number;
  idleMs: number;
  /** How many at a time, until it is resized. */
  atOnce: number;
  log: Log;
  claim: (limit: number, stopping: AbortSignal) => Promise<readonly Piece[]>;
  work: (piece: Piece, stopping: AbortSignal) => Promise<void>;
}): ClaimedWork {
  const { name, everyMs, idleMs, log, claim, work } = options;
  let { atOnce } = options;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  const loop = startLoop({
    name,
    everyMs,
    idleMs,
    log,
    async round() {
      const free = atOnce - underWay.size;
      if (free <= 0) return false;
      const pieces = await claim(free, stopping.signal);
      for (const piece of pieces) {
        const working = work(piece, stopping.signal).finally(() => {
          underWay.delete(working);
          loop.wake();
        });
        underWay.add(working);
      }
      return pieces.length > 0;
    },
  });
  return {
    open: () => Math.max(atOnce, underWay.size),
    resize(slots) {
      const isMore = slots > atOnce;
      atOnce = slots;
      if (isMore) loop.wake();
    },
    async stop() {
      stopping.abort();
      await loop.stop();
      await Promise.all(underWay);
    },
  };
}

/** How a piece of work failed: a code of docket.failure_codes, and the error where it was none of ours to bring about. */
export interface Failure {
  readonly code: string;
  readonly error?: unknown;
}

/**
 * Reads from or acts on the store for nine tenths of the time that a piece was handed out for, or until the worker stops.
 * Resolves to how it failed, with `overrun` where the time was too short, or to what `act` answers; never rejects.
 */
export async function inClaimedTime<Done>(
  seconds: number,
  stopping: AbortSignal,
  act: (signal: AbortSignal) => Promise<Done>,
  overrun = 'STORE_TIMEOUT',
): Promise<{ done: Done } | Failure> {
  const deadline = AbortSignal.timeout(seconds * 900);
  try {
    return { done: await act(AbortSignal.any([stopping, deadline])) };
  } catch (error) {
    if (stopping.aborted) return { code: 'WORKER_STOPPING' };
    if (deadline.aborted) return { code: overrun };
    return { code: error instanceof DocketError ? error.code : 'INTERNAL_ERROR', error };
  }
}
