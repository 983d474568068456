import type { IncomingMessage, ServerResponse } from 'node:http';
import { DocketError } from '../../errors.ts';

/** Which pages of the web may ask. */
export interface Origins {
  /** Tells the browser whether it may show the answer to the page that asked; true when that was all it wanted to know. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** @throws DocketError ORIGIN_REFUSED for a page of a foreign origin; browsers leave it to the server with WebSockets. */
  check(request: IncomingMessage): void;
}

const REMEMBER_SECONDS = '600';

export function createOrigins(allowed: readonly string[]): Origins {
  function isAllowed(request: IncomingMessage): boolean {
    const { origin, host } = request.headers;
    return (
      origin === undefined ||
      allowed.includes(origin) ||
      new Set([`http://${host}`, `https://${host}`]).has(origin)
    );
  }
  return {
    answer(request, response) {
      const { origin } = request.headers;
      if (origin !== undefined && allowed.includes(origin)) {
        response.setHeader('access-control-allow-origin', origin);
        response.setHeader('vary', 'origin');
      }
      if (request.method !== 'OPTIONS') return false;
      if (origin !== undefined && allowed.includes(origin)) {
        response.setHeader('access-control-allow-methods', 'POST, GET');
        response.setHeader('access-control-allow-headers', 'authorization, content-type');
        response.setHeader('access-control-max-age', REMEMBER_SECONDS);
      }
      response.writeHead(204).end();
      return true;
    },
    check(request) {
      if (!isAllowed(request)) throw new DocketError('ORIGIN_REFUSED', 'pages of this origin may not ask');
    },
  };
}
