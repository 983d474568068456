import type { Agent, IncomingMessage } from 'node:http';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { DocketError } from '../errors.ts';

/** What a server answered. */
export interface HttpAnswer {
  readonly status: number;
  /** Seconds that the server asks for before the next try. */
  readonly retryAfter: number | undefined;
  readonly body: string;
}

/** Sent without an answer to the question whether to: some proxies do not pass that question on. */
const CONTINUE_WITHIN_MS = 3_000;

/**
 * Puts bytes at an address. They are sent once the server has said that it will take them, so that a refusal costs no
 * transfer; an answer that comes before all was sent ends the sending. Throws SERVER_UNREACHABLE where no answer came, the
 * error of the bytes where they fail, and the reason of the signal.
 */
export async function putOverHttp(options: {
  url: URL;
  headers: Record<string, string | number>;
  bytes: AsyncIterable<Uint8Array>;
  agent: Agent | undefined;
  signal: AbortSignal;
}): Promise<HttpAnswer> {
  const { url, headers, bytes, agent, signal } = options;
  signal.throwIfAborted();
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(url, {
    method: 'PUT',
    headers: { ...headers, expect: '100-continue' },
    ...(agent && { agent }),
    signal,
  });
  let failure: Error | undefined;
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  const body = Readable.from(bytes, { objectMode: false });
  body.once('error', (error: Error) => (failure ??= error));
  let isSending = false;
  function sendBody(): void {
    if (isSending) return;
    isSending = true;
    // An answer that comes early ends it; what went wrong otherwise is told by the request.
    pipeline(body, request).catch(() => undefined);
  }
  request.once('continue', sendBody);
  const timer = setTimeout(sendBody, CONTINUE_WITHIN_MS);
  request.flushHeaders();
  try {
    const response = await answered;
    clearTimeout(timer);
    return {
      status: response.statusCode ?? 0,
      retryAfter: secondsOf(response.headers['retry-after']),
      body: await text(response),
    };
  } catch (cause) {
    signal.throwIfAborted();
    if (failure) throw failure;
    throw new DocketError('SERVER_UNREACHABLE', `no answer from ${url.origin}: ${String(cause)}`, { cause });
  } finally {
    clearTimeout(timer);
    body.destroy();
    request.destroy();
  }
}

function secondsOf(field: string | undefined): number | undefined {
  return field !== undefined && /^\d{1,6}$/.test(field) ? Number(field) : undefined;
}
