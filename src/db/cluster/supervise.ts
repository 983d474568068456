import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import type { Cluster } from './cluster.ts';

const LOOK_MS = 250;
const RETRY_MS = 2_000;

/**
 * Starts the server of `cluster` again whenever it dies while we live, for as long as it takes. Works for an adopted
 * server too, whose end no event tells. Returns a function that ends the supervision; call it before `cluster.stop()`.
 */
export function superviseCluster(cluster: Cluster, log: Log): () => Promise<void> {
  const ending = new AbortController();
  const watching = watch(cluster, log, ending.signal);
  return async () => {
    ending.abort();
    await watching;
  };
}

async function watch(cluster: Cluster, log: Log, signal: AbortSignal): Promise<void> {
  // Not kept alive by the timer: a program that has nothing else to do may end.
  const pause = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  for (;;) {
    await pause(LOOK_MS);
    if (signal.aborted) return;
    if (cluster.alive()) continue;
    log.warn({ dataDir: cluster.dataDir }, 'the embedded Postgres died; starting it again');
    try {
      await cluster.ensureRunning();
      log.info({ dataDir: cluster.dataDir }, 'the embedded Postgres is back');
    } catch (err) {
      log.error({ err, dataDir: cluster.dataDir }, 'the embedded Postgres did not come back; trying again');
      await pause(RETRY_MS);
    }
  }
}
