import type { Publisher } from '../checkpoints/publisher.ts';
import type { Log } from '../log.ts';
import type { Loop } from './loop.ts';
import { startLoop } from './loop.ts';

/** Signs checkpoints of the log and keeps them outside the database, in a worker that has the key. */
export function startCheckpoints(publisher: Publisher, log: Log): Pick<Loop, 'stop'> {
  const stopping = new AbortController();
  const loop = startLoop({
    name: 'checkpoints',
    everyMs: 500,
    idleMs: 1_000,
    log,
    round: () => publisher.round(stopping.signal),
  });
  return {
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}
