import { setTimeout as delay } from 'node:timers/promises';
import { DocketError } from '../errors.ts';
import { watchIdle } from './idle-watch.ts';
import { fromS3, isPassing } from './s3-errors.ts';
import type { Doing } from './s3-errors.ts';

/** How long a store is waited for, and how often it is asked again. */
export interface Patience {
  /** Without an answer, or without the next bytes of one, for so long: STORE_TIMEOUT. */
  idleMs: number;
  /** Times that a request which may well succeed later is made, altogether. */
  tries: number;
  /** The longest wait before the second try; it doubles with each further one. A random part of it is waited. */
  delayMs: number;
}

/** The store said that it did something, and did not. What was done is worth doing anew, as a whole. */
export class UntrueAnswer extends DocketError {
  constructor(message: string) {
    super('STORE_UNAVAILABLE', message);
  }
}

/**
 * Makes one request. `send` is given a signal that is aborted with the caller's, or when the store is idle for too long
 * (an upload calls `touch` whenever bytes were taken); either ends the wait at once, whatever `send` does. Throws the caller's reason or an
 * error with a failure code.
 */
export async function callOnce<Answer>(
  doing: Doing,
  { idleMs }: Pick<Patience, 'idleMs'>,
  signal: AbortSignal,
  send: (abortSignal: AbortSignal, touch: () => void) => Promise<Answer>,
): Promise<Answer> {
  signal.throwIfAborted();
  const watch = watchIdle(idleMs, doing.locator, signal);
  try {
    return await watch.race(send(watch.signal, watch.touch));
  } catch (error) {
    watch.signal.throwIfAborted();
    throw fromS3(error, doing);
  } finally {
    watch.stop();
  }
}

/** The same, again and again while the failure is one that passes, with growing pauses. */
export function call<Answer>(
  doing: Doing,
  patience: Patience,
  signal: AbortSignal,
  send: (abortSignal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  return withRetries(patience, signal, () => callOnce(doing, patience, signal, send));
}

/** Does work until it succeeds, fails in a way that is not worth another try, or was tried often enough. */
export async function withRetries<Value>(
  { tries, delayMs }: Pick<Patience, 'tries' | 'delayMs'>,
  signal: AbortSignal,
  work: () => Promise<Value>,
  isWorthIt: (error: unknown) => boolean = isPassing,
): Promise<Value> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isWorthIt(error) || tried >= tries || signal.aborted) throw error;
    }
    await delay(Math.random() * delayMs * 2 ** (tried - 1), undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
  }
}

/** Does work of several requests, each of which was tried often enough by itself, until no answer was untrue. */
export function untilTrue<Value>(
  patience: Patience,
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value> {
  return withRetries(patience, signal, work, (error) => error instanceof UntrueAnswer);
}
