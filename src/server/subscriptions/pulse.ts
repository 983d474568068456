/** Tells all who wait that something may have changed, at once, but at most once in an interval. */
export interface Pulse {
  /** Says that something changed. */
  beat(): void;
  /** How many pulses there were. */
  readonly count: number;
  /** Resolves once there were more pulses than `count`, or the signal is aborted. */
  after(count: number, signal: AbortSignal): Promise<void>;
  /** There are no more pulses. */
  stop(): void;
}

export function createPulse(intervalMs: number): Pulse {
  const waiting = new Set<() => void>();
  let count = 0;
  let lastMs = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function pulse(): void {
    timer = undefined;
    lastMs = performance.now();
    count += 1;
    for (const wake of [...waiting]) wake();
  }

  return {
    beat() {
      if (stopped || timer !== undefined) return;
      timer = setTimeout(pulse, Math.max(0, lastMs + intervalMs - performance.now()));
    },
    get count() {
      return count;
    },
    after(known, signal) {
      if (count > known || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener('abort', wake);
      });
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
