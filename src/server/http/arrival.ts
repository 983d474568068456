import type { IncomingMessage, ServerResponse } from 'node:http';
import { DocketError } from '../../errors.ts';

/**
 * Bounds how long the whole of a request may take to arrive: `late` is called if it did not in time. Node's own limit is one
 * for all requests of a server, and a large object takes longer than any question.
 */
export function limitArrival(
  request: IncomingMessage,
  response: ServerResponse,
  { withinMs, late }: { withinMs: number; late: (error: DocketError) => void },
): void {
  const timer = setTimeout(() => {
    if (!request.complete) late(new DocketError('REQUEST_STALLED', 'the request did not arrive in time'));
  }, withinMs).unref();
  response.once('close', () => clearTimeout(timer));
}
