import type { ServerResponse } from 'node:http';
import { DocketError } from '../../errors.ts';
import type { Log } from '../../log.ts';

const STATUS: Readonly<Record<string, number>> = {
  TOKEN_INVALID: 401,
  ORIGIN_REFUSED: 403,
  NOT_FOUND: 404,
  METHOD_REFUSED: 405,
  TOO_MANY_REQUESTS: 429,
  UNAVAILABLE: 503,
};

/** Answers a request that is not served. What nobody foresaw is logged, and only called an error. */
export function refuse(response: ServerResponse, error: unknown, log: Log): void {
  const known = error instanceof DocketError && error.code in STATUS;
  if (!known) log.error({ err: error }, 'a request failed in a way that was not foreseen');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const code = known ? error.code : 'INTERNAL_ERROR';
  const message = known ? error.message : 'an error occurred';
  const body = Buffer.from(JSON.stringify({ errors: [{ message, extensions: { code } }] }));
  if (code === 'TOKEN_INVALID') response.setHeader('www-authenticate', 'Bearer');
  const retryAfter = known ? error.data['retryAfterSeconds'] : undefined;
  if (typeof retryAfter === 'number') response.setHeader('retry-after', retryAfter);
  response.writeHead(STATUS[code] ?? 500, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}
