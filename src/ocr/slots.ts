import { DocketError } from '../errors.ts';

/** Things that are each used by one at a time, made as they are needed; who waits is served in order. */
export interface Slots<T> {
  /** Those that were made so far. */
  readonly all: readonly T[];
  /**
   * A slot that fits, if one of the free ones does. Throws the signal's reason when aborted while waiting, WORKER_STOPPING when
   * the slots are closed.
   */
  take(signal: AbortSignal, fits: (slot: T) => boolean): Promise<T>;
  giveBack(slot: T): void;
  close(): void;
}

/**
 * Makes at most so many, and none while one is free. Of those that fit, the one that was used last is used next, so that those
 * nobody needs come to rest; where none fits, it is the one that has rested longest.
 */
export function createSlots<T>(most: number, make: () => T): Slots<T> {
  const all: T[] = [];
  const free: T[] = [];
  const waiting: { serve: (slot: T) => void; refuse: (reason: Error) => void }[] = [];
  let closed = false;
  const stopping = (): DocketError => new DocketError('WORKER_STOPPING', 'the engine is closed');
  return {
    all,
    take(signal, fits) {
      if (closed) return Promise.reject(stopping());
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      const [slot] = free.splice(Math.max(0, free.findLastIndex(fits)), 1);
      if (slot !== undefined) return Promise.resolve(slot);
      if (all.length < most) {
        const made = make();
        all.push(made);
        return Promise.resolve(made);
      }
      return new Promise<T>((resolve, reject) => {
        const leave = (): void => {
          waiting.splice(waiting.indexOf(place), 1);
          reject(signal.reason as Error);
        };
        const place = {
          serve: (given: T): void => {
            signal.removeEventListener('abort', leave);
            resolve(given);
          },
          refuse: (reason: Error): void => {
            signal.removeEventListener('abort', leave);
            reject(reason);
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.push(place);
      });
    },
    giveBack(slot) {
      const next = waiting.shift();
      if (next === undefined) free.push(slot);
      else next.serve(slot);
    },
    close() {
      closed = true;
      waiting.splice(0).forEach(({ refuse }) => refuse(stopping()));
    },
  };
}
