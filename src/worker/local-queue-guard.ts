import type { WorkerEvents } from 'graphile-worker';

/** A private method of the library's LocalQueue; look here first after an upgrade. */
interface LocalQueue {
  background(work: Promise<void>): void;
}

/**
 * Works around a fault of graphile-worker 0.18.0: a runner that is stopped while it holds messages it fetched ahead, and has
 * nothing else going on, throws instead of awaiting their return. The stop then counts as forced, and if the connection is
 * lost meanwhile, the failed return is a rejection that nobody handles, which ends the process. So each local queue is given
 * something that goes on until it has begun to return its messages.
 */
export function guardLocalQueues(events: WorkerEvents): void {
  const endOf = new Map<unknown, () => void>();
  events.on('localQueue:init', ({ localQueue }) => {
    const untilReleased = new Promise<void>((resolve) => endOf.set(localQueue, resolve));
    (localQueue as unknown as LocalQueue).background(untilReleased);
  });
  events.on('localQueue:setMode', ({ localQueue, newMode }) => {
    if (newMode !== 'RELEASED') return;
    // The messages are returned in this very turn, after this event.
    setImmediate(() => {
      endOf.get(localQueue)?.();
      endOf.delete(localQueue);
    });
  });
}
