import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fromDatabase } from '../../db/errors.ts';
import type { DocketError } from '../../errors.ts';
import type { Log } from '../../log.ts';

/** The status of an answer and, where the words of the error are not for the caller, what is said instead. */
interface Refusal {
  readonly status: number;
  readonly says?: { readonly code: string; readonly message: string };
}

const AWAY: Refusal = {
  status: 503,
  says: { code: 'UNAVAILABLE', message: 'not available now; try again later' },
};
const DENIED: Refusal = { status: 403, says: { code: 'PERMISSION_DENIED', message: 'permission denied' } };
const SLOW: Refusal = { status: 503, says: { code: 'TOOK_TOO_LONG', message: 'took too long' } };
const UNFORESEEN: Refusal = {
  status: 500,
  says: { code: 'INTERNAL_ERROR', message: 'an error occurred' },
};

/** What is answered for each error, over every path but within GraphQL, which has errors of its own. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  EXPORT_PARAMETER: { status: 400 },
  OBJECT_PARAMETER: { status: 400 },
  DIGEST_MALFORMED: { status: 400 },
  RECEIPT_PARAMETER: { status: 400 },
  TOKEN_INVALID: { status: 401 },
  ORIGIN_REFUSED: { status: 403 },
  PERMISSION_DENIED: { status: 403 },
  ZD010: { status: 403 },
  ZD017: { status: 403 },
  NOT_FOUND: { status: 404 },
  METHOD_REFUSED: { status: 405 },
  REQUEST_STALLED: { status: 408 },
  OBJECT_TOO_LARGE: { status: 413 },
  CODING_REFUSED: { status: 415 },
  // To nobody, and nothing that was to be logged.
  SENDER_GONE: { status: 400 },
  HASH_MISMATCH: { status: 422 },
  SIZE_MISMATCH: { status: 422 },
  EXPORT_BUSY: { status: 429 },
  OBJECTS_BUSY: { status: 429 },
  TOO_MANY_REQUESTS: { status: 429 },
  ZD071: { status: 429 },
  ZD072: { status: 429 },
  OBJECTS_NOT_SERVED: { status: 501 },
  UNAVAILABLE: { status: 503 },
  DATABASE_DENIED: DENIED,
  DATABASE_UNAVAILABLE: AWAY,
  DATABASE_EXHAUSTED: AWAY,
  DATABASE_CONFLICT: AWAY,
  DATABASE_TIMEOUT: SLOW,
  STORE_UNAVAILABLE: AWAY,
  STORE_TIMEOUT: AWAY,
  STORE_DENIED: AWAY,
  KEY_UNAVAILABLE: AWAY,
  CONFIG_KEY_FILE: AWAY,
  TEMP_STORAGE_FAILED: AWAY,
};

const RETRY_AFTER_SECONDS = 5;
/** How long what is still sent is taken and thrown away, so that the sender comes to reading the answer. */
const LINGER_MS = 2_000;

/**
 * Answers a request that is not served: with the status of its error's code and, as GraphQL does, `{errors: [{message,
 * extensions: {code}}]}`. What the caller is not told is logged. Where an answer has begun, the connection is cut, so that
 * nobody takes a part for the whole.
 */
export function refuse(response: ServerResponse, error: unknown, log: Log): void {
  const failure = fromDatabase(error);
  const { status, says } = REFUSALS[failure.code] ?? UNFORESEEN;
  if (!response.writable) return;
  const [path] = (response.req.url ?? '').split('?');
  if (status === 500) log.error({ err: error, path }, 'a request failed in a way that was not foreseen');
  else if (says) log.warn({ err: failure, path }, 'a request could not be served');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { code, message } = says ?? failure;
  send(response, status, { ...headersFor(status, failure) }, { errors: [{ message, extensions: { code } }] });
}

function headersFor(status: number, { data }: DocketError): Record<string, string> {
  const { allow, retryAfterSeconds = RETRY_AFTER_SECONDS } = data;
  return {
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 405 && { allow: String(allow) }),
    ...((status === 429 || status === 503) && { 'retry-after': String(retryAfterSeconds) }),
  };
}

/**
 * Sends JSON. Of a request that is still being sent, the rest is not waited for: the connection ends with the answer, but not
 * before the sender had time to read it, as closing it on unread data takes the answer away too.
 */
function send(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  answer: unknown,
): void {
  const body = Buffer.from(JSON.stringify(answer));
  const { req: request } = response;
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    ...(!request.complete && { connection: 'close' }),
  });
  if (request.complete) {
    response.end(body);
    return;
  }
  response.write(body);
  const over = new AbortController();
  request.once('close', () => over.abort()).once('end', () => over.abort());
  request.on('error', () => undefined).resume();
  void delay(LINGER_MS, undefined, { signal: over.signal, ref: false })
    .catch(() => undefined)
    .then(() => response.end());
}
