import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionOptions } from './pools.ts';
import { createClient } from './pools.ts';
import { fromDatabase } from './errors.ts';

/** Something that hears notifications of the database. */
export interface Listener {
  /** Closes its connection. Never rejects. */
  stop(): Promise<void>;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;

/**
 * Calls `onNotification` whenever something is announced on a channel, over a connection of its own. A connection that is
 * lost is replaced as soon as it can be, and what was missed meanwhile is made up for by a call.
 */
export function startListener(
  options: ConnectionOptions & { channel: string; onNotification: () => void },
): Listener {
  const { channel, onNotification, log } = options;
  const stopping = new AbortController();

  /** Listens until the connection ends. */
  async function listen(): Promise<void> {
    const client = createClient(options);
    const ended = new Promise<void>((resolve) => {
      client.on('error', (err) => log.debug({ err }, 'the listening connection was lost'));
      client.once('end', resolve);
    });
    const end = () => void client.end().catch(() => undefined);
    try {
      await client.connect();
      client.on('notification', onNotification);
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      onNotification();
      if (stopping.signal.aborted) end();
      else stopping.signal.addEventListener('abort', end, { once: true });
      await ended;
    } finally {
      stopping.signal.removeEventListener('abort', end);
      end();
    }
  }

  async function listenOn(): Promise<void> {
    for (
      let waitMs = FIRST_RETRY_MS;
      !stopping.signal.aborted;
      waitMs = Math.min(LONGEST_RETRY_MS, waitMs * 2)
    ) {
      const begun = performance.now();
      await listen().catch((err: unknown) =>
        log.warn({ err: fromDatabase(err) }, 'the database cannot be listened to'),
      );
      if (performance.now() - begun > LONGEST_RETRY_MS) waitMs = FIRST_RETRY_MS;
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const done = listenOn();
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}
