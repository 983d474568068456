import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Identity } from '../identity.ts';

// How connections end, whatever their other side does.

const PING_EVERY_MS = 12_000;
const CLOSE_WITHIN_MS = 1_000;
/** Timers cannot wait longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Refuses a connection before it is a WebSocket, and does not wait for the other side to agree. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy());
}

/** Closes a connection; one whose other side does not answer that is cut. */
export function end(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.close(code, reason);
  const timer = setTimeout(() => socket.terminate(), CLOSE_WITHIN_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Closes a connection when the token it was opened with expires. */
export function endWithToken(socket: WebSocket, { expiresAt }: Identity): void {
  const waitMs = Math.min(LONGEST_TIMER_MS, expiresAt.getTime() - Date.now());
  const timer = setTimeout(() => end(socket, CloseCode.Forbidden, 'the token expired'), waitMs);
  socket.once('close', () => clearTimeout(timer));
}

/** Ends connections whose other side is gone without a word, or does not read: only who read the ping can answer it. */
export function keepAlive(socket: WebSocket): () => void {
  let asked: string | undefined;
  socket.on('pong', (data) => {
    if (data.toString() === asked) asked = undefined;
  });
  const timer = setInterval(() => {
    if (asked !== undefined) {
      socket.terminate();
      return;
    }
    asked = randomBytes(8).toString('hex');
    if (socket.readyState === socket.OPEN) socket.ping(asked);
  }, PING_EVERY_MS);
  return () => clearInterval(timer);
}
