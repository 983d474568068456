import type { Runner } from 'graphile-worker';
import type { LentSlot } from '../attempts/attempt-commands.ts';
import type { WaitingSlots } from './local-queues.ts';
import { createSlotLender } from './slot-lender.ts';
import type { SlotPool } from './slot-pool.ts';

/** A runner of the queue has as many slots as it was started with. */
interface Part {
  readonly slots: number;
  busy: number;
  isRetired: boolean;
  /** Its slots that wait for a message, once it starts. */
  waiting?: WaitingSlots;
  /** Resolves, never rejects, when it was started, or could not be. */
  started: Promise<Runner | undefined>;
}

/** Does a piece of work, and counts it as long as that takes. */
type Counted = <Value>(work: () => Promise<Value>) => Promise<Value>;

/** A pool of runners. */
export interface RunnerPool extends SlotPool {
  /** A slot for which nothing is ready in the queue, if there is one, or will be: it is at work, in every respect, until it is given back. */
  lend(): Promise<LentSlot | undefined>;
  stop(): Promise<void>;
}

/**
 * Slots made of runners, each of a number that is fixed when it starts: for more slots another runner is started, for fewer
 * some are stopped, the idlest first. A runner that is stopped takes no more messages and finishes what it is at; the slots of
 * those are given out again as they end, at the next `resize`.
 */
export function createRunnerPool(options: {
  name: string;
  /** Starts a runner of so many slots that does all its work by `counted`; calls `onWaiting` when some may be lent. */
  start: (
    slots: number,
    counted: Counted,
    onWaiting: () => void,
  ) => { starting: Promise<Runner>; waiting: WaitingSlots };
  /** Called when a runner ended without being asked to. */
  onFailure: (cause: unknown) => void;
}): RunnerPool {
  const { name, start, onFailure } = options;
  const parts = new Set<Part>();
  const lender = createSlotLender(take);
  let stopped = false;

  const open = () => [...parts].reduce((sum, part) => sum + (part.isRetired ? part.busy : part.slots), 0);

  async function begin(slots: number): Promise<void> {
    const counted: Counted = async (work) => {
      part.busy += 1;
      try {
        return await work();
      } finally {
        part.busy -= 1;
        lender.noteFreed();
      }
    };
    const part: Part = { slots, busy: 0, isRetired: false, started: Promise.resolve(undefined) };
    parts.add(part);
    const { starting, waiting } = start(slots, counted, () => lender.serve());
    part.waiting = waiting;
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

  function take(): LentSlot | undefined {
    for (const part of parts) {
      const goBack = part.isRetired ? undefined : part.waiting?.take();
      if (goBack === undefined) continue;
      part.busy += 1;
      return {
        giveBack() {
          part.busy -= 1;
          lender.noteFreed();
          goBack();
        },
      };
    }
    return undefined;
  }

  const report = (part: Part, cause?: unknown) => {
    if (!part.isRetired) onFailure(cause);
  };

  /** Takes no more from now on; one that is only being started is stopped before it can have fetched anything. */
  function retire(part: Part): Promise<unknown> {
    part.isRetired = true;
    lender.dismiss();
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
    lend: () => ([...parts].some((part) => !part.isRetired) ? lender.lend() : Promise.resolve(undefined)),
    async stop() {
      stopped = true;
      await Promise.all([...parts].map(retire));
    },
  };
}
