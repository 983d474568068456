import type pg from 'pg';
import type { Reader } from './read-as.ts';
import { beginReading } from './read-as.ts';

/**
 * Reads as `readAs` does, but not for longer than so many milliseconds: then the connection is cut, whatever the server does or
 * the network lost, and the call rejects. A connection over which something failed is not used again.
 */
export async function readWithin<T>(
  pool: pg.Pool,
  settings: Readonly<Record<string, string>>,
  withinMs: number,
  read: (reader: Reader) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isGivenBack = false;
  const giveBack = (isBroken: boolean) => {
    if (isGivenBack) return;
    isGivenBack = true;
    client.release(isBroken);
  };
  const timer = setTimeout(() => giveBack(true), withinMs);
  try {
    await beginReading(client, settings);
    const result = await read(client);
    await client.query('commit');
    giveBack(false);
    return result;
  } finally {
    clearTimeout(timer);
    giveBack(true);
  }
}
