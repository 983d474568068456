import type { WorkerEvents } from 'graphile-worker';

/** Private parts of the library's LocalQueue of 0.18.0; look here first after an upgrade. */
interface LocalQueue {
  mode: string;
  /** Slots that wait for a message. */
  workerQueue: readonly unknown[];
  /** How many messages a fetch asks for. */
  getJobBatchSize: number;
  fetchInProgress: boolean;
  /** Of the next look, where the last one found less than it asked for. */
  fetchTimer: NodeJS.Timeout | null;
  fetch(): void;
  getJob(...asked: unknown[]): unknown;
}

/**
 * Has runners fetch as many messages as they have idle slots, in one statement, and none ahead. The library fetches ahead to save
 * statements; but then a document waits, locked, behind a busy slot while another comes free and takes what is less urgent, and a
 * runner that is stopped has messages to give back. When many slots are at work, many come free during a fetch, so that the next
 * one asks for all of these together.
 */
export function fetchOnlyForIdleSlots(events: WorkerEvents): void {
  events.on('localQueue:init', ({ localQueue }) => {
    const queue = localQueue as unknown as LocalQueue;
    const fetch = queue.fetch.bind(queue);
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
    queue.getJob = (...asked) => {
      const job = getJob(...asked);
      if (!isAsked) {
        isAsked = true;
        // Slots that come free in the same turn are asked for together.
        setImmediate(() => {
          isAsked = false;
          if (queue.mode === 'POLLING' && !queue.fetchInProgress && queue.fetchTimer === null) queue.fetch();
        });
      }
      return job;
    };
  });
}
