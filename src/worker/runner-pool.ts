import type { Runner } from 'graphile-worker';
import type { SlotPool } from './slot-pool.ts';

/** A runner of the queue has as many slots as it was started with. */
interface Part {
  readonly slots: number;
  busy: number;
  isRetired: boolean;
  /** Resolves, never rejects, when it was started, or could not be. */
  started: Promise<Runner | undefined>;
}

/** Does a piece of work, and counts it as long as that takes. */
type Counted = <Value>(work: () => Promise<Value>) => Promise<Value>;

/**
 * Slots made of runners, each of a number that is fixed when it starts: for more slots another runner is started, for fewer
 * some are stopped, the idlest first. A runner that is stopped takes no more messages and finishes what it is at; the slots of
 * those are given out again as they end, at the next `resize`.
 */
export function createRunnerPool(options: {
  name: string;
  /** Starts a runner of so many slots that does all its work by `counted`. */
  start: (slots: number, counted: Counted) => Promise<Runner>;
  /** Called when a runner ended without being asked to. */
  onFailure: (cause: unknown) => void;
}): SlotPool & { stop(): Promise<void> } {
  const { name, start, onFailure } = options;
  const parts = new Set<Part>();
  let stopped = false;

  const open = () => [...parts].reduce((sum, part) => sum + (part.isRetired ? part.busy : part.slots), 0);

  async function begin(slots: number): Promise<void> {
    const part: Part = { slots, busy: 0, isRetired: false, started: Promise.resolve(undefined) };
    parts.add(part);
    const starting = start(slots, async (work) => {
      part.busy += 1;
      try {
        return await work();
      } finally {
        part.busy -= 1;
      }
    });
    part.started = starting.catch(() => undefined);
    void part.started
      .then((runner) =>
        runner?.promise.then(
          () => report(part),
          (cause: unknown) => report(part, cause),
        ),
      )
      .then(() => parts.delete(part));
    await starting;
  }

  const report = (part: Part, cause?: unknown) => {
    if (!part.isRetired) onFailure(cause);
  };

  /** Takes no more from now on; one that is only being started is stopped before it can have fetched anything. */
  function retire(part: Part): Promise<unknown> {
    part.isRetired = true;
    // One that ended by itself refuses to be stopped again.
    return part.started.then((runner) => Promise.allSettled([runner?.stop(), runner?.promise]));
  }

  return {
    name,
    open,
    async resize(slots) {
      const idlestFirst = [...parts].filter((part) => !part.isRetired).sort((a, b) => a.busy - b.busy);
      for (const part of idlestFirst) {
        if (open() <= slots) break;
        void retire(part);
      }
      // What was handed out in this very turn is at work in the next.
      await new Promise((resolve) => setImmediate(resolve));
      const missing = slots - open();
      if (missing > 0 && !stopped) await begin(missing);
    },
    async stop() {
      stopped = true;
      await Promise.all([...parts].map(retire));
    },
  };
}
