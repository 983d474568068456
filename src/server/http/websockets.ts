import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServerOptions } from 'graphql-ws';
import { CloseCode, makeServer } from 'graphql-ws';
import { execute, subscribe } from 'postgraphile/grafast';
import { GraphQLError } from 'postgraphile/graphql';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { DocketError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { BearerCheck } from '../bearer.ts';
import type { Identity } from '../identity.ts';
import type { RequestRate } from '../limits/request-rate.ts';
import type { GraphqlRoute } from './graphql-route.ts';
import { end, endWithToken, keepAlive, refuseUpgrade } from './socket-ends.ts';

export interface Websockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes all of them. Never rejects. */
  stop(): Promise<void>;
}

const LARGEST_MESSAGE = 64 * 1024;
const MOST_SOCKETS = 1_000;
const MOST_SOCKETS_OF_A_SUBJECT = 50;
const MOST_OPERATIONS_OF_A_SOCKET = 50;
const INIT_WITHIN_MS = 3_000;
/** Whoever leaves so much unread is not listened to until it is read. */
const MOST_UNREAD = 1024 * 1024;

/** What goes along with a connection. */
interface Extra {
  readonly socket: WebSocket;
  readonly authorization: string | undefined;
  identity?: Identity;
}

/**
 * GraphQL over WebSockets (graphql-transport-ws). The token comes with the upgrade or as `authorization` of the first message;
 * nothing is looked at before it was found valid, and the connection ends with it.
 */
export function createWebsockets(options: {
  graphql: GraphqlRoute;
  bearers: BearerCheck;
  rate: RequestRate;
  maskError: (error: GraphQLError) => GraphQLError;
  log: Log;
}): Websockets {
  const { graphql, bearers, rate, maskError, log } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
    handleProtocols: (protocols) => protocols.has('graphql-transport-ws') && 'graphql-transport-ws',
  });
  const extras = new Set<Extra>();
  const protocol = makeServer<Record<string, unknown> | undefined, Extra>({
    connectionInitWaitTimeout: INIT_WITHIN_MS,
    async onConnect({ connectionParams, extra }) {
      const given = connectionParams?.['authorization'] ?? connectionParams?.['Authorization'];
      try {
        extra.identity = await bearers.identify(typeof given === 'string' ? given : extra.authorization);
      } catch (error) {
        if (error instanceof DocketError && error.code === 'TOKEN_INVALID') return false;
        throw error;
      }
      const { subject, role } = extra.identity;
      if (role === 'sender') return false;
      if (
        [...extras].filter(({ identity }) => identity?.subject === subject).length > MOST_SOCKETS_OF_A_SUBJECT
      ) {
        end(extra.socket, CloseCode.TooManyInitialisationRequests, 'too many connections');
        return false;
      }
      endWithToken(extra.socket, extra.identity);
      return true;
    },
    async onSubscribe({ extra: { identity }, subscriptions }, _id, { query, operationName, variables }) {
      if (!identity) return [new GraphQLError('permission denied')];
      try {
        await rate.count(identity.subject);
      } catch (error) {
        return [maskError(new GraphQLError('refused', { originalError: error as Error }))];
      }
      if (Object.keys(subscriptions).length > MOST_OPERATIONS_OF_A_SOCKET) {
        return [
          new GraphQLError('too many operations at a time', { extensions: { code: 'TOO_MANY_OPERATIONS' } }),
        ];
      }
      return graphql.prepare({ query, operationName, variables }, identity);
    },
    execute: (args) => execute(args),
    subscribe: (args) => subscribe(args),
    onError: (_context, _id, _payload, errors) => errors.map((error) => maskError(error)),
    onNext: (_context, _id, _payload, _args, result) =>
      result.errors ? { ...result, errors: result.errors.map((error) => maskError(error)) } : undefined,
  } as ServerOptions<Record<string, unknown> | undefined, Extra>);

  function open(socket: WebSocket, request: IncomingMessage): void {
    socket.on('error', (err) => log.debug({ err }, 'a websocket failed'));
    const stopPinging = keepAlive(socket);
    const extra: Extra = { socket, authorization: request.headers.authorization };
    extras.add(extra);
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) =>
          new Promise((resolve, reject) => {
            if (socket.readyState !== socket.OPEN) {
              resolve();
              return;
            }
            socket.send(text, (error) => {
              if (socket.isPaused && socket.bufferedAmount <= MOST_UNREAD) socket.resume();
              if (error) reject(error);
              else resolve();
            });
          }),
        close: (code = CloseCode.InternalServerError, reason = '') => end(socket, code, reason),
        onMessage: (handle) =>
          socket.on('message', (data: Buffer) => {
            // What is still sent on a connection that is being closed is not for us: its token may have expired.
            if (socket.readyState !== socket.OPEN) return;
            if (socket.bufferedAmount > MOST_UNREAD) socket.pause();
            handle(data.toString()).catch((err: unknown) => {
              log.error({ err }, 'a websocket failed in a way that was not foreseen');
              end(socket, CloseCode.InternalServerError, 'an error occurred');
            });
          }),
      },
      extra,
    );
    socket.once('close', (code, reason) => {
      stopPinging();
      extras.delete(extra);
      void closed(code, reason.toString());
    });
  }

  return {
    upgrade(request, socket, head) {
      if (sockets.clients.size >= MOST_SOCKETS) {
        refuseUpgrade(socket, '503 Service Unavailable');
        return;
      }
      sockets.handleUpgrade(request, socket, head, (opened) => open(opened, request));
    },
    async stop() {
      const ended = [...sockets.clients].map(
        (socket) =>
          new Promise<void>((resolve) => {
            socket.once('close', () => resolve());
            end(socket, 1001, 'the server is stopping');
          }),
      );
      await Promise.all(ended);
      sockets.close();
    },
  };
}
