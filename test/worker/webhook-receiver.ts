import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { text } from 'node:stream/consumers';

/** What a receiver does with a request, once it has read it. */
export type Behaviour = keyof typeof BEHAVIOURS;

const BEHAVIOURS = {
  accept: (_request, answer) => answer.writeHead(204).end(),
  refuse: (_request, answer) => answer.writeHead(503).end('down'),
  redirect: (request, answer) => answer.writeHead(307, { location: `${request.url ?? ''}/moved` }).end(),
  reset: (request) => request.socket.resetAndDestroy(),
  /** Never answers. */
  hang: () => undefined,
  /** Answers well, when the sender has given up and hung up. */
  late: (request, answer) => request.socket.once('close', () => answer.writeHead(204).end()),
  /** Begins to answer well and never ends. */
  stall: (_request, answer) => answer.writeHead(200).write('well'),
  endless: (_request, answer) => {
    const write = () => {
      while (!answer.destroyed && answer.write('x'.repeat(16_384)));
    };
    answer.writeHead(200).on('drain', write);
    write();
  },
} satisfies Record<string, (request: IncomingMessage, answer: ServerResponse) => unknown>;

/** A request that came whole. */
export interface Arrival {
  readonly path: string;
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly behaviour: Behaviour;
}

export interface WebhookReceiver {
  readonly url: string;
  /** In the order in which they came. */
  readonly arrivals: readonly Arrival[];
  /** `came ID` and `took ID`, in order; taken is what was answered well, and when it was. */
  readonly log: readonly string[];
}

/** An HTTP server that behaves as it is told for each request; closed when the tests of the file are over. */
export async function startWebhookReceiver(
  behave: (request: { path: string; id: string; times: number }) => Behaviour,
): Promise<WebhookReceiver> {
  const arrivals: Arrival[] = [];
  const log: string[] = [];
  const take = async (request: IncomingMessage, answer: ServerResponse) => {
    const body = await text(request);
    const id = String(request.headers['webhook-id']);
    const path = request.url ?? '';
    const times = 1 + arrivals.filter((earlier) => earlier.id === id && earlier.path === path).length;
    const behaviour = behave({ path, id, times });
    arrivals.push({ path, id, headers: request.headers, body, behaviour });
    log.push(`came ${id}`);
    if (behaviour === 'accept') log.push(`took ${id}`);
    BEHAVIOURS[behaviour](request, answer);
  };
  // Who is killed in the middle of a request has not sent it.
  const server = createServer((request, answer) => void take(request, answer).catch(() => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, arrivals, log };
}
