import type { LentSlot } from '../attempts/attempt-commands.ts';

/** Lends the idle slots of a pool to work that comes without a message. */
export interface SlotLender {
  /**
   * An idle slot. Where none is idle now, but so many come free all the time that one may be expected soon, that is waited for, in
   * turn and not long; else undefined.
   */
  lend(): Promise<LentSlot | undefined>;
  /** To be called when there may be a slot to take. */
  serve(): void;
  /** To be called when a slot came free. */
  noteFreed(): void;
  /** Sends all away who wait. */
  dismiss(): void;
}

/** How long somebody may wait, and over how long it is counted how many slots came free: as many may wait. */
const PATIENCE_MS = 1_000;
/** So many must have come free: where recognition is slow, a message costs nothing beside it, and whoever waits holds up others. */
const WORTH_WAITING = 50;

export function createSlotLender(take: () => LentSlot | undefined): SlotLender {
  const waiting = new Set<(slot: LentSlot | undefined) => void>();
  const freedMs: number[] = [];

  function mayWait(): boolean {
    const sinceMs = performance.now() - PATIENCE_MS;
    const stale = freedMs.findIndex((ms) => ms >= sinceMs);
    freedMs.splice(0, stale < 0 ? freedMs.length : stale);
    return freedMs.length >= WORTH_WAITING && waiting.size < freedMs.length;
  }

  return {
    async lend() {
      const slot = waiting.size === 0 ? take() : undefined;
      if (slot !== undefined || !mayWait()) return slot;
      return new Promise((resolve) => {
        const end = (lent: LentSlot | undefined) => {
          clearTimeout(timer);
          waiting.delete(end);
          resolve(lent);
        };
        const timer = setTimeout(end, PATIENCE_MS, undefined);
        waiting.add(end);
      });
    },
    serve() {
      for (const end of waiting) {
        const slot = take();
        if (slot === undefined) return;
        end(slot);
      }
    },
    noteFreed() {
      freedMs.push(performance.now());
      // Where nobody asks, nothing is counted.
      if (freedMs.length > 10_000) freedMs.splice(0, 5_000);
    },
    dismiss: () => waiting.forEach((end) => end(undefined)),
  };
}
