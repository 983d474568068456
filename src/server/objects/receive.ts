import type { IncomingMessage } from 'node:http';
import { DocketError } from '../../errors.ts';

/** How long a sender is waited for. */
export interface Pace {
  /** The longest that nothing may come. */
  readonly stalledMs: number;
  /** What a sender may be slow for, all in all, beyond the time that its bytes may take. */
  readonly graceMs: number;
  readonly leastBytesASecond: number;
}

/** A scan over the slowest of mobile networks gets through; a connection that is only held open does not. */
const PACE: Pace = { stalledMs: 20_000, graceMs: 30_000, leastBytesASecond: 4_096 };

/**
 * The bytes of a request as they come, in chunks; no more are read than are taken. Only the time that is spent waiting for the
 * sender counts against it, not what the taker needs. Throws OBJECT_TOO_LARGE as soon as there are more than `maxBytes`,
 * REQUEST_STALLED, SENDER_GONE, and the reason of the signal. The request is left as it is, so that it can be answered.
 */
export async function* receive(
  request: IncomingMessage,
  { maxBytes, signal, pace = PACE }: { maxBytes: number; signal: AbortSignal; pace?: Pace },
): AsyncGenerator<Uint8Array> {
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  let sizeBytes = 0;
  let waitedMs = 0;
  try {
    for (;;) {
      const patienceMs = pace.graceMs + (sizeBytes / pace.leastBytesASecond) * 1_000 - waitedMs;
      const begunMs = performance.now();
      const next = await within(
        chunks.next().catch(refuseBroken),
        Math.min(pace.stalledMs, patienceMs),
        signal,
      );
      waitedMs += performance.now() - begunMs;
      if (next.done === true) return;
      sizeBytes += next.value.length;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      yield next.value;
    }
  } finally {
    // Not waited for: where a chunk is still being waited for, it ends with the connection.
    void chunks.return?.().catch(() => undefined);
  }
}

/** What is said of a scan that is larger than this server takes. */
export function tooLarge(maxBytes: number): DocketError {
  return new DocketError('OBJECT_TOO_LARGE', `more than ${maxBytes} bytes, the most that this server takes`);
}

/** The connection broke, or what came over it was no HTTP any more. */
function refuseBroken(cause: unknown): never {
  throw new DocketError('SENDER_GONE', 'the sender is gone', { cause });
}

/** Gives up a wait that takes too long or is not wanted any more; what it was for is left to itself. */
async function within<T>(wait: Promise<T>, ms: number, signal: AbortSignal): Promise<T> {
  wait.catch(() => undefined);
  signal.throwIfAborted();
  let end: (() => void) | undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(
      () => reject(new DocketError('REQUEST_STALLED', 'the bytes come too slowly, or not at all')),
      Math.max(0, ms),
    );
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
  });
  try {
    return await Promise.race([wait, givenUp]);
  } finally {
    end?.();
  }
}
