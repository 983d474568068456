import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SocketAddress } from '../../src/db/cluster/superuser.ts';

/**
 * When a connection breaks: `before` the statement reached the server, when it was `sent` and nobody knows what comes of it, or
 * when the server `answered` it and the answer is lost.
 */
export type Moment = 'before' | 'sent' | 'answered';

/** Stands between clients and a Postgres server, as the network does; it can break, and lead to another server. */
export interface DatabaseProxy extends SocketAddress {
  /** Leads new connections there, and cuts those that there are. */
  pointTo(address: SocketAddress): void;
  /** Passes nothing on any more and cuts nothing, as a network that lost its way, until it is pointed somewhere. */
  freeze(): void;
  /** Cuts the first connection over which this text is sent from now on; resolves when it did. */
  cutAt(text: string, moment: Moment): Promise<void>;
  /** Cuts the first connection over which the server answers with this text, and keeps the answer; resolves when it did. */
  cutAnswer(text: string): Promise<void>;
  stop(): Promise<void>;
}

interface Cut {
  readonly text: Buffer;
  readonly moment: Moment;
  readonly done: () => void;
}

const PORT = 5432;

export async function startDatabaseProxy(server: SocketAddress): Promise<DatabaseProxy> {
  let target = server;
  let isFrozen = false;
  let cut: Cut | undefined;
  let lost: Omit<Cut, 'moment'> | undefined;
  const sockets = new Set<Socket>();
  const socketDir = await mkdtemp(join(tmpdir(), 'dkt-proxy-'));

  const listener = createServer((client) => {
    const upstream = connect(join(target.socketDir, `.s.PGSQL.${String(target.port)}`));
    const both = [client, upstream];
    const destroy = () => both.forEach((socket) => socket.destroy());
    for (const socket of both) {
      sockets.add(socket);
      socket.on('error', destroy).on('close', () => {
        sockets.delete(socket);
        destroy();
      });
    }
    /** A statement may come in pieces. */
    let tail = Buffer.alloc(0);
    let answering: Cut | undefined;
    client.on('data', (piece: Buffer) => {
      if (isFrozen) return;
      const text = Buffer.concat([tail, piece]);
      if (cut === undefined || !text.includes(cut.text)) {
        tail = text.subarray(-200);
        upstream.write(piece);
        return;
      }
      const { moment, done } = cut;
      if (moment === 'answered') {
        answering = cut;
        upstream.write(piece);
      } else {
        client.destroy();
        // The server gets all of it, and nobody to answer to.
        if (moment === 'sent') upstream.end(piece);
        done();
      }
      cut = undefined;
    });
    upstream.on('data', (piece: Buffer) => {
      if (isFrozen) return;
      const kept = lost && piece.includes(lost.text) ? lost : answering;
      if (kept === undefined) return void client.write(piece);
      if (kept === lost) lost = undefined;
      destroy();
      kept.done();
    });
  });
  listener.listen(join(socketDir, `.s.PGSQL.${String(PORT)}`));
  await once(listener, 'listening');
  const cutAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    socketDir,
    port: PORT,
    pointTo(address) {
      target = address;
      isFrozen = false;
      cutAll();
    },
    freeze: () => void (isFrozen = true),
    cutAt: (text, moment) =>
      new Promise((done) => {
        cut = { text: Buffer.from(text), moment, done };
      }),
    cutAnswer: (text) =>
      new Promise((done) => {
        lost = { text: Buffer.from(text), done };
      }),
    async stop() {
      const closed = once(listener, 'close');
      listener.close();
      cutAll();
      await closed;
      await rm(socketDir, { recursive: true, force: true });
    },
  };
}
