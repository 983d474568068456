import type { WorkerEvents } from 'graphile-worker';

/** Private parts of the library's LocalQueue of 0.18.0; look here first after an upgrade. */
interface LocalQueue {
  mode: string;
  /** Slots that wait for a message; they go on when they are given one, or undefined when there will be none. */
  workerQueue: { resolve(job: unknown): void }[];
  /** How many messages a fetch asks for. */
  getJobBatchSize: number;
  fetchInProgress: boolean;
  /** Of the next look, where the last one found less than it asked for. */
  fetchTimer: NodeJS.Timeout | null;
  fetch(): void;
  /** A fetch, and what is to be done next. */
  _fetch(): Promise<void>;
  getJob(workerId: string, flagsToSkip: null): unknown;
}

/** The slots of one runner that wait for a message. */
export interface WaitingSlots {
  /**
   * Takes a slot for which nothing is ready in the queue, so that none who waits there is passed; undefined if there is none. What is
   * returned is to be called once: the slot waits for a message again, or ends with its runner, which waits for it.
   */
  take(): (() => void) | undefined;
}

/**
 * Has a runner fetch as many messages as it has idle slots, in one statement, and none ahead. The library fetches ahead to save
 * statements; but then a document waits, locked, behind a busy slot while another comes free and takes what is less urgent, and a
 * runner that is stopped has messages to give back. When many slots are at work, many come free during a fetch, so that the next
 * one asks for all of these together. `onWaiting` is called whenever there may be a slot to take.
 */
export function fetchOnlyForIdleSlots(events: WorkerEvents, onWaiting: () => void): WaitingSlots {
  let ofRunner: LocalQueue | undefined;
  events.on('localQueue:init', ({ localQueue }) => {
    const queue = localQueue as unknown as LocalQueue;
    ofRunner = queue;
    const fetch = queue.fetch.bind(queue);
    const look = queue._fetch.bind(queue);
    const getJob = queue.getJob.bind(queue);
    let isAsked = false;

    queue.fetch = () => {
      if (queue.workerQueue.length > 0) {
        queue.getJobBatchSize = queue.workerQueue.length;
        fetch();
      } else if (queue.fetchTimer !== null) {
        clearTimeout(queue.fetchTimer);
        queue.fetchTimer = null;
      }
    };
    queue._fetch = async () => {
      await look();
      onWaiting();
    };
    queue.getJob = (...asked) => {
      const job = getJob(...asked);
      if (!isAsked) {
        isAsked = true;
        // Slots that come free in the same turn are asked for together.
        setImmediate(() => {
          isAsked = false;
          if (queue.mode === 'POLLING' && !queue.fetchInProgress && queue.fetchTimer === null) queue.fetch();
          else onWaiting();
        });
      }
      return job;
    };
  });
  return {
    take() {
      const queue = ofRunner;
      // While a look is under way, a message may be on its way to every slot that waits.
      if (queue?.mode !== 'POLLING' || queue.fetchInProgress || queue.fetchTimer === null) return undefined;
      const slot = queue.workerQueue.pop();
      return slot && (() => slot.resolve(queue.getJob('', null)));
    },
  };
}
