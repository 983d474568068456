import { hostname } from 'node:os';
import type pg from 'pg';
import * as commands from '../db/commands.ts';
import { fromDatabase } from '../db/errors.ts';
import { createClient } from '../db/pools.ts';
import { within } from '../db/within.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import { VERSION } from '../version.ts';

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
  /**
   * Says how many slots of each pool are open, and how many are wanted; answers how many there may be from now on. Rejects, without
   * harm to the lease, when that could not be found out in time.
   */
  reportSlots(slots: readonly ReportedSlots[]): Promise<commands.ReportSlotsRow[]>;
  /** Ends it at once, as if the connection had been lost. */
  lose(cause: unknown): void;
  /** Gives it back, and closes the connection. Never rejects. */
  close(): Promise<void>;
}

/** What a process has of a pool, and wants. */
interface ReportedSlots {
  readonly pool: string;
  readonly wanted: number;
  readonly open: number;
  /** Why it takes no more by itself, if it does not. */
  readonly heldBack: string | null;
}

const RENEW_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 5_000;
/**
 * A lease lasts ten seconds from when the database renewed it, which was after we asked. So this long after we last asked with
 * success all work is stopped, whatever the connection does, and there is time to stop it in before others take it over.
 */
const HOLDS_MS = 7_500;

/**
 * Opens a lease for pools of these names. A lease that this process lost is closed before: its work is not blamed for the loss.
 * Rejects with a DocketError if the database cannot be reached or refuses.
 */
export async function openLease(options: {
  url: string;
  pools: string[];
  lost?: string | undefined;
  log: Log;
}): Promise<Lease> {
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
    if (options.lost !== undefined) await commands.closeLease(client, { lease: options.lost });
    const askedMs = performance.now();
    const [row] = await commands.openLease(client, {
      host: hostname(),
      pid: process.pid,
      pools: options.pools,
      version: VERSION,
      hostAt: hostTime(),
    });
    if (row === undefined) throw new DocketError('DATABASE_ERROR', 'no lease was given');
    const lease = hold(client, row.lease_id, askedMs, options.log);
    disconnected = (error) => lease.lose(error);
    return lease;
  } catch (error) {
    discard(client);
    throw fromDatabase(error);
  }
}

function hold(client: pg.Client, id: string, openedMs: number, log: Log): Lease {
  const losing = new AbortController();
  let closed = false;
  let timer: NodeJS.Timeout;
  let expiry: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const isOver = () => closed || losing.signal.aborted;

  /** Asks when what was asked before is answered, or will not be. */
  const ask = <Answer>(question: () => Promise<Answer>): Promise<Answer> => {
    const answer = last.then(question, question);
    last = answer;
    return within(ANSWER_WITHIN_MS, answer);
  };

  const rest = () => {
    clearTimeout(timer);
    clearTimeout(expiry);
  };
  const lose = (cause: unknown) => {
    if (isOver()) return;
    rest();
    losing.abort(new DocketError('LEASE_LOST', 'the lease of this worker ended', { cause }));
    discard(client);
  };
  const holdSince = (askedMs: number) => {
    clearTimeout(expiry);
    const late = () => lose(new DocketError('DATABASE_TIMEOUT', `not renewed within ${HOLDS_MS} ms`));
    expiry = setTimeout(late, askedMs + HOLDS_MS - performance.now());
  };
  const renew = async () => {
    const askedMs = performance.now();
    try {
      const [row] = await ask(() => commands.renewLease(client, { lease: id, hostAt: hostTime() }));
      if (row?.renewed !== true) throw new DocketError('LEASE_LOST', 'this worker was declared lost');
      if (isOver()) return;
      holdSince(askedMs);
      timer = setTimeout(() => void renew(), RENEW_EVERY_MS);
    } catch (error) {
      lose(error);
    }
  };
  holdSince(openedMs);
  timer = setTimeout(() => void renew(), RENEW_EVERY_MS);

  return {
    id,
    lost: losing.signal,
    lose,
    async bind(poolIds) {
      await ask(() => commands.bindPools(client, { lease: id, poolIds }));
    },
    async reportSlots(slots) {
      return ask(() =>
        commands.reportSlots(client, {
          lease: id,
          pools: slots.map((one) => one.pool),
          wanted: slots.map((one) => one.wanted),
          running: slots.map((one) => one.open),
          heldBack: slots.map((one) => one.heldBack),
        }),
      ).catch((error: unknown) => {
        const failure = fromDatabase(error);
        if (failure.code === 'ZD040') lose(failure);
        throw failure;
      });
    },
    async close() {
      if (isOver()) return;
      closed = true;
      rest();
      try {
        await ask(() => commands.closeLease(client, { lease: id }));
      } catch (err) {
        log.warn({ err, lease: id }, 'the lease could not be closed; it ends with its connection');
      }
      discard(client);
    },
  };
}

/** What the clock of this host shows: told, so that whoever examines the fleet sees which one is wrong. */
function hostTime(): string {
  return new Date().toISOString();
}

/** Ends a connection that may be broken, without waiting for it. */
function discard(client: pg.Client): void {
  client.end().catch(() => undefined);
}
