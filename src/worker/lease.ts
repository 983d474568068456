import { hostname } from 'node:os';
import type pg from 'pg';
import * as commands from '../db/commands.ts';
import { fromDatabase } from '../db/errors.ts';
import { createClient } from '../db/pools.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import { within } from './within.ts';

/**
 * Proof that this process lives: a session lock on a connection of its own, which ends with the process, and a deadline,
 * which ends even if the process only stands still. Whoever loses it must stop all work, because others take it over.
 */
export interface Lease {
  readonly id: string;
  /** Aborted, with a LEASE_LOST error, as soon as the lease may have ended without being closed. */
  readonly lost: AbortSignal;
  /** Tells under which ids the queue's rows will be locked. Rows locked under other ids are not recovered in time. */
  bind(poolIds: string[]): Promise<void>;
  /** Ends it at once, as if the connection had been lost. */
  lose(cause: unknown): void;
  /** Gives it back, and closes the connection. Never rejects. */
  close(): Promise<void>;
}

const RENEW_EVERY_MS = 2_000;
/** Short of the ten seconds a lease lasts: after that long without an answer it is best thought lost. */
const ANSWER_WITHIN_MS = 5_000;

/** Opens a lease for pools of these names. Rejects with a DocketError if the database cannot be reached or refuses. */
export async function openLease(options: { url: string; pools: string[]; log: Log }): Promise<Lease> {
  const client = createClient({
    url: options.url,
    name: 'lease',
    log: options.log,
    statementTimeoutMs: 5_000,
    // What a crash of the server undoes of a lease ended with its connection anyway.
    settings: { synchronous_commit: 'off' },
  });
  // Before anything can fail: an 'error' nobody listens for would end the process.
  let disconnected: (error: Error) => void = () => undefined;
  client.on('error', (error) => disconnected(error));
  client.on('end', () => disconnected(new Error('the connection of the lease ended')));
  try {
    await client.connect();
    const [row] = await commands.openLease(client, {
      host: hostname(),
      pid: process.pid,
      pools: options.pools,
    });
    if (row === undefined) throw new DocketError('DATABASE_ERROR', 'no lease was given');
    const lease = hold(client, row.lease_id, options.log);
    disconnected = (error) => lease.lose(error);
    return lease;
  } catch (error) {
    discard(client);
    throw fromDatabase(error);
  }
}

function hold(client: pg.Client, id: string, log: Log): Lease {
  const losing = new AbortController();
  let closed = false;
  let timer: NodeJS.Timeout;

  const lose = (cause: unknown) => {
    if (closed || losing.signal.aborted) return;
    clearTimeout(timer);
    losing.abort(new DocketError('LEASE_LOST', 'the lease of this worker ended', { cause }));
    discard(client);
  };
  const renew = async () => {
    try {
      const [row] = await within(ANSWER_WITHIN_MS, commands.renewLease(client, { lease: id }));
      if (row?.renewed !== true) throw new DocketError('LEASE_LOST', 'this worker was declared lost');
      timer = setTimeout(() => void renew(), RENEW_EVERY_MS);
    } catch (error) {
      lose(error);
    }
  };
  timer = setTimeout(() => void renew(), RENEW_EVERY_MS);

  return {
    id,
    lost: losing.signal,
    lose,
    async bind(poolIds) {
      await within(ANSWER_WITHIN_MS, commands.bindPools(client, { lease: id, poolIds }));
    },
    async close() {
      if (closed || losing.signal.aborted) return;
      closed = true;
      clearTimeout(timer);
      try {
        await within(ANSWER_WITHIN_MS, commands.closeLease(client, { lease: id }));
      } catch (err) {
        log.warn({ err, lease: id }, 'the lease could not be closed; it ends with its connection');
      }
      discard(client);
    },
  };
}

/** Ends a connection that may be broken, without waiting for it. */
function discard(client: pg.Client): void {
  client.end().catch(() => undefined);
}
