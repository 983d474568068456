import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { DocketError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { refuse } from '../../src/server/http/refusal.ts';
import { receive } from '../../src/server/objects/receive.ts';
import { eventually } from '../support/eventually.ts';

const PACE = { stalledMs: 300, graceMs: 600, leastBytesASecond: 1_000_000 };
const log = createLog({ level: 'silent' });

/** What reading ended with, where it did not end well. */
const failed: unknown[] = [];
/** How long the taker needs for each chunk. */
let takesMs = 0;
const server = createServer((request, response) => {
  async function take(): Promise<void> {
    let sizeBytes = 0;
    const options = { maxBytes: 1_000, signal: new AbortController().signal, pace: PACE };
    for await (const chunk of receive(request, options)) {
      sizeBytes += chunk.length;
      await delay(takesMs);
    }
    response.end(String(sizeBytes));
  }
  take().catch((error: unknown) => {
    failed.push(error);
    refuse(response, error, log);
  });
});
await once(server.listen(0, '127.0.0.1'), 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends a byte every so many milliseconds, so many times, and then nothing. */
async function drip(bytes: number, everyMs: number, { ends = false } = {}) {
  const request = httpRequest({ port: (server.address() as AddressInfo).port, method: 'PUT', agent: false });
  request.on('error', () => undefined);
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  const stop = new AbortController();
  void answered.then(() => stop.abort());
  for (let sent = 0; sent < bytes && !stop.signal.aborted; sent += 1) {
    request.write('x');
    await delay(everyMs);
  }
  if (ends) request.end();
  const [response] = await answered;
  const body = await text(response);
  request.destroy();
  return { status: response.statusCode, body };
}

test('a sender of whom nothing comes any more is answered, and the connection ends', async () => {
  const begunMs = performance.now();
  const { status, body } = await drip(3, 1);
  assert.equal(status, 408);
  assert.match(body, /REQUEST_STALLED/);
  assert.ok(performance.now() - begunMs >= PACE.stalledMs);
});

test('a sender that only drips is not waited for either', async () => {
  const { status } = await drip(1_000, 20);
  assert.equal(status, 408);
});

test('a sender whose connection breaks is gone, and is not taken for a database that is', async () => {
  const { port } = server.address() as AddressInfo;
  for (const [encoding, ends] of [
    ['content-length: 100', (socket: Socket) => socket.destroy()],
    ['transfer-encoding: chunked', (socket: Socket) => socket.write('no chunk\r\n')],
  ] as const) {
    const before = failed.length;
    const socket = connect(port).on('error', () => undefined);
    socket.write(`PUT / HTTP/1.1\r\nhost: x\r\n${encoding}\r\n\r\n`);
    await delay(50);
    ends(socket);
    await eventually('it is noticed', () => failed.length > before);
    assert.equal((failed.at(-1) as DocketError).code, 'SENDER_GONE');
    socket.destroy();
  }
});

test('the time that the taker needs does not count against the sender', async () => {
  takesMs = 500;
  const answer = await drip(3, 1, { ends: true });
  takesMs = 0;
  assert.equal(answer.status, 200);
});
