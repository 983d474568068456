import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { ServerFixture } from './server-fixture.ts';
import { serve } from './server-fixture.ts';
import { Subscriber } from './subscriber.ts';

// Connections as no client library makes them, most of them by somebody without a token.

const database = await createTestDatabase();
const CLOSE_FRAME = 0x88;
const sockets: Socket[] = [];
let server: ServerFixture;

before(async () => {
  server = await serve(database, { requestsPerMinute: 1_000 });
});
after(() => sockets.forEach((socket) => socket.destroy()));

/** Connects, and asks for a WebSocket at a path. */
async function ask(path: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    [
      `GET ${path} HTTP/1.1`,
      'Host: docket.example',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Protocol: graphql-transport-ws',
      '\r\n',
    ].join('\r\n'),
  );
  return socket;
}

/** A text frame, masked with zeroes. */
function frame(message: unknown): Buffer {
  const payload = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(8);
  head.writeUInt8(0x81);
  head.writeUInt8(0x80 + 126, 1);
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

test('who asks for a WebSocket and is gone at once does not end the server', async () => {
  const failures: unknown[] = [];
  const note = (error: unknown) => void failures.push(error);
  process.on('uncaughtException', note);
  for (let n = 0; n < 60; n += 1) (await ask(n % 2 === 0 ? '/nothing' : '/graphql')).resetAndDestroy();
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
  process.off('uncaughtException', note);
  assert.deepEqual(failures, []);
});

test('a refused connection is not kept for the other side to end it', async () => {
  const socket = await ask('/nothing');
  socket.resume();
  await once(socket, 'end');
  await eventually('it is cut', () => {
    socket.write('still here');
    return Promise.resolve(socket.destroyed);
  });
});

test('who sends and does not read is not listened to', async () => {
  const socket = await ask('/graphql');
  await once(socket, 'readable');
  socket.pause();
  const ping = frame({ type: 'ping', payload: { filler: 'x'.repeat(60_000) } });
  let taken = 0;
  for (let n = 0; n < 1_500; n += 1) socket.write(ping, (error) => (taken += error ? 0 : ping.length));
  await eventually('it is cut off', () => Promise.resolve(socket.destroyed));
  // What the kernel holds of either side, and little more: the rest waits where it comes from.
  assert.ok(taken < 40_000_000, `${taken} bytes`);
});

test('a connection whose other side does not let it end is cut, and what comes after its end is not done', async () => {
  const token = await server.issuer.token({ subject: 'late' }, { exp: Math.floor(Date.now() / 1000) + 2 });
  const socket = await ask('/graphql');
  let heard = Buffer.alloc(0);
  socket.on('data', (data: Buffer) => (heard = Buffer.concat([heard, data])));
  socket.write(frame({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
  await eventually('it is told that its token expired', () =>
    Promise.resolve(heard.includes('the token expired') && heard.includes(CLOSE_FRAME)),
  );
  const asked = server.log.length;
  socket.write(frame({ type: 'subscribe', id: '1', payload: { query: '{ queueAges { nonsense } }' } }));
  await eventually('it is cut', () => Promise.resolve(socket.destroyed || socket.readableEnded));
  assert.equal(heard.includes('nonsense'), false);
  assert.equal(server.log.length, asked);
});

test('one bearer has at most fifty connections', async () => {
  const token = await server.issuer.token({ subject: 'many' });
  const all = await Promise.all(Array.from({ length: 50 }, () => Subscriber.letIn(server.url, token)));
  const last = await Subscriber.open(server.url, token);
  await eventually('one more is closed', () => Promise.resolve(last.closed !== undefined));
  assert.equal(last.closed?.reason, 'too many connections');
  await Subscriber.letIn(server.url, await server.issuer.token({ subject: 'another' })).then((one) =>
    one.close(),
  );
  all.forEach((one) => one.close());
});
