import { setTimeout as delay } from 'node:timers/promises';
import { fromDatabase } from '../db/errors.ts';
import type { Session, SessionOptions } from './session.ts';
import { openSession } from './session.ts';

/** A running worker. */
export interface Worker {
  /** Of the present lease; it changes when the worker lost one and opened another. */
  readonly leaseId: string;
  /**
   * Stops taking work, lets running attempts finish for the configured grace, aborts the rest, gives back lease, locks and
   * temporary files. Resolves when done; never rejects; further calls wait for the first.
   */
  stop(): Promise<void>;
}

const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 2_000;

/** What may be otherwise in a moment; anything else needs a person. */
const PASSING = new Set([
  'DATABASE_UNAVAILABLE',
  'DATABASE_TIMEOUT',
  'DATABASE_CONFLICT',
  'DATABASE_EXHAUSTED',
  'LEASE_LOST',
]);

/**
 * Starts a worker: it admits jobs, runs their tasks and looks after what dead workers left. It outlives the database: when
 * the connection or the lease is lost it aborts what it was doing and begins again as soon as it can. While the database
 * cannot be reached, it waits. Rejects only at the start: for what waiting would not change (an invalid configuration,
 * a refused login, a schema that is missing), or with the reason of `signal` when that is aborted before the worker is at
 * work. Store and engine stay the caller's to close.
 */
export async function startWorker(options: SessionOptions & { signal?: AbortSignal }): Promise<Worker> {
  const { config, log, signal } = options;
  const stopping = new AbortController();
  const giveUp = () => stopping.abort(signal?.reason);
  if (signal?.aborted) giveUp();
  signal?.addEventListener('abort', giveUp, { once: true });
  let lostLease: string | undefined;
  let session = await open((error) => !PASSING.has(fromDatabase(error).code));
  signal?.removeEventListener('abort', giveUp);

  /** Tries until it works, the worker is stopped, or an error is one to give up on. */
  async function open(isFinal: (error: unknown) => boolean): Promise<Session> {
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(LONGEST_RETRY_MS, waitMs * 2)) {
      stopping.signal.throwIfAborted();
      try {
        const opened = await openSession({ ...options, lostLease });
        if (!stopping.signal.aborted) {
          log.info({ lease: opened.leaseId }, 'the worker is at work');
          return opened;
        }
        await opened.end(0);
      } catch (err) {
        if (isFinal(err)) throw err;
        log.warn({ err, waitMs }, 'the worker cannot begin; it tries again');
      }
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  async function replaceLostSessions(): Promise<void> {
    for (;;) {
      await anyAborted(session.lost, stopping.signal);
      if (stopping.signal.aborted) break;
      log.warn(
        { err: session.lost.reason, lease: session.leaseId },
        'the lease was lost; work under it is aborted',
      );
      await session.end(0);
      lostLease = session.leaseId;
      session = await open(() => false);
    }
    await session.end(config.stopGraceMs);
    log.info('the worker stopped');
  }

  const ended = replaceLostSessions().catch((err: unknown) => {
    if (!stopping.signal.aborted) throw err;
  });
  return {
    get leaseId() {
      return session.leaseId;
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

function anyAborted(...signals: AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const any = AbortSignal.any(signals);
    if (any.aborted) resolve();
    else any.addEventListener('abort', () => resolve(), { once: true });
  });
}
