import { once } from 'node:events';
import WebSocket from 'ws';
import { eventually } from '../support/eventually.ts';

/** A message of the protocol graphql-transport-ws. */
export interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: {
    data?: Record<string, unknown> | null;
    errors?: { message: string; extensions?: { code?: string } }[];
  };
}

/** One WebSocket, spoken to in bare messages: what a client library would not send can be sent too. */
export class Subscriber {
  readonly messages: Message[] = [];
  /** Code and reason, once it is closed. */
  closed: { code: number; reason: string } | undefined;
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.messages.push(JSON.parse(data.toString()) as Message));
    socket.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }));
    socket.on('error', () => undefined);
  }

  /** Connects to a server, and introduces itself with a token if there is one. */
  static async open(url: string, token?: string): Promise<Subscriber> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const subscriber = new Subscriber(socket);
    await once(socket, 'open');
    if (token !== undefined) {
      subscriber.send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
    }
    return subscriber;
  }

  /** Connects, and waits until the token was found good. */
  static async letIn(url: string, token: string): Promise<Subscriber> {
    const subscriber = await Subscriber.open(url, token);
    await eventually('the token is found good', () =>
      Promise.resolve(subscriber.messages.some(({ type }) => type === 'connection_ack')),
    );
    return subscriber;
  }

  send(message: Record<string, unknown>): void {
    this.#socket.send(JSON.stringify(message));
  }

  subscribe(id: string, query: string, variables: Record<string, unknown> = {}): void {
    this.send({ id, type: 'subscribe', payload: { query, variables } });
  }

  /** What came for a subscription: data and errors as text, in order. */
  heard(id: string): string[] {
    return this.messages
      .filter((message) => message.id === id && message.type !== 'complete')
      .map((message) => JSON.stringify(message.payload));
  }

  close(): void {
    this.#socket.terminate();
  }
}
