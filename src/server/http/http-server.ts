import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { Router } from './router.ts';

/** How long the head of a request may take to arrive; of its body the router sees to it. */
const HEAD_WITHIN_MS = 10_000;
const MOST_CONNECTIONS = 2_000;
/** How long nothing may move on a connection while an answer is to be read from it, or is being made. */
const STALLED_MS = 60_000;

/** A server that does not listen yet. Who asks first whether to send a body is answered when it is known, not before. */
export function createHttpServer(router: Router): Server {
  const server = createServer({
    headersTimeout: HEAD_WITHIN_MS,
    requestTimeout: 0,
    // Java's client asks for HTTP/2 with every request that has no TLS: it may, and is answered by HTTP/1.1.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.timeout = STALLED_MS;
  return server.on('request', router.answer).on('checkContinue', router.answer).on('upgrade', router.upgrade);
}
