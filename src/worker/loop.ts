import type { Log } from '../log.ts';

/** A duty that is done again and again. */
export interface Loop {
  /** Asks for the next round now rather than at the end of a longer wait; never sooner than `everyMs` after the last. */
  wake(): void;
  /** Ends it; resolves when a round that was under way is over. Never rejects. */
  stop(): Promise<void>;
}

const WAIT_AFTER_ERROR_MS = 1_000;
const GROWTH = 1.6;

/**
 * Runs `round`, then waits, then runs it again, never two at once. A round that found something to do (true) is followed
 * by the next after `everyMs`, or after `rest` times as long as it took; the more rounds found nothing, the longer the wait,
 * up to `idleMs`. A round that fails is logged and does not end the loop.
 */
export function startLoop(options: {
  name: string;
  everyMs: number;
  idleMs?: number;
  /** How long it rests in proportion to its work: 2 leaves two thirds of the time to others. Default 0. */
  rest?: number;
  log: Log;
  round: () => Promise<boolean>;
}): Loop {
  const { name, everyMs, idleMs = everyMs, rest = 0, log, round } = options;
  let stopped = false;
  let waitMs = everyMs;
  let timer: NodeJS.Timeout | undefined;
  let lastMs = performance.now();
  let running: Promise<void> = Promise.resolve();

  const schedule = (ms: number) => {
    clearTimeout(timer);
    timer = stopped ? undefined : setTimeout(() => void (running = turn()), ms);
  };
  const turn = async () => {
    timer = undefined;
    const begunMs = performance.now();
    try {
      waitMs = (await round()) ? everyMs : Math.min(idleMs, waitMs * GROWTH);
    } catch (err) {
      waitMs = Math.max(everyMs, WAIT_AFTER_ERROR_MS);
      if (!stopped) log.warn({ err, loop: name }, 'a regular duty failed; it is tried again');
    }
    lastMs = performance.now();
    schedule(Math.max(waitMs, (lastMs - begunMs) * rest));
  };
  schedule(0);

  return {
    wake() {
      if (timer === undefined || waitMs === everyMs) return;
      waitMs = everyMs;
      schedule(Math.max(0, lastMs + everyMs - performance.now()));
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
