import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import type { ObjectServer } from './object-server.ts';
import { plainClient } from './object-server.ts';

/** What can go wrong between a client and an S3 server, or inside the server. */
export const FAULTS = [
  /** Answers with an error of the server, and does nothing. */
  '500',
  '503',
  /** Takes the request and never answers. */
  'silent',
  /** Answers, and stops in the middle of the body. */
  'stalled',
  /** Cuts the connection before the request is passed on. */
  'reset',
  /** Passes the request on, and cuts the connection instead of answering. */
  'lost',
  /** Cuts the connection in the middle of the answer. */
  'cut',
  /** Says that it did what was asked, and did not: nothing is stored or removed, and what is read is empty. */
  'nothing',
  /** Stores other bytes than those that came, or gives out other bytes than those that are stored; never the same twice. */
  'wrong',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface ProxiedCall {
  /** From 1, since the last reset. */
  readonly number: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly fault: Fault | undefined;
  /** What the server answered, if it was asked and has. */
  status?: number | undefined;
}

type NewCall = Pick<ProxiedCall, 'number' | 'method' | 'path'>;

export interface FaultProxy {
  readonly endpoint: string;
  /** The calls so far, in order. */
  readonly calls: readonly ProxiedCall[];
  /** From now on this decides what goes wrong with which call; calls are counted anew. */
  plan(decide: (call: NewCall) => Fault | undefined): void;
  stop(): Promise<void>;
}

/**
 * An HTTP proxy before a real S3 server. Requests pass as they came, the Host header included, so that their signatures
 * hold: what a client meets is the real server, but for the faults.
 */
export async function startFaultProxy(server: ObjectServer): Promise<FaultProxy> {
  const target = new URL(server.endpoint);
  const ownClient = plainClient(server);
  const calls: ProxiedCall[] = [];
  let decide: (call: NewCall) => Fault | undefined = () => undefined;

  const proxy = createServer((asked, answer) => {
    const asking = { number: calls.length + 1, method: asked.method ?? '', path: asked.url ?? '' };
    const call: ProxiedCall = { ...asking, fault: decide(asking) };
    calls.push(call);
    handle(asked, answer, call).catch(() => answer.destroy());
  });

  async function handle(asked: IncomingMessage, answer: ServerResponse, call: ProxiedCall) {
    const { fault } = call;
    if (fault === 'reset') return void asked.socket.resetAndDestroy();
    const body = await buffer(asked);
    if (fault === 'silent') return;
    if (fault === '500' || fault === '503') {
      const code = fault === '500' ? 'InternalError' : 'SlowDown';
      answer.writeHead(Number(fault), { 'content-type': 'application/xml' });
      return void answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    }
    const changes = asked.method === 'PUT' || asked.method === 'DELETE';
    if (fault === 'nothing' && changes) {
      answer.writeHead(asked.method === 'PUT' ? 200 : 204, { etag: '"0"' });
      return void answer.end();
    }
    if (fault === 'wrong' && asked.method === 'PUT') {
      const version = await storeOther(asked.url ?? '', flipped(body, 1 / 2));
      answer.writeHead(200, {
        etag: '"0"',
        ...(version === undefined ? {} : { 'x-amz-version-id': version }),
      });
      return void answer.end();
    }
    const passed = request({
      host: target.hostname,
      port: target.port,
      method: asked.method,
      path: asked.url,
      headers: Object.fromEntries(
        Object.entries(asked.headers).filter(([name]) => name !== 'expect' && name !== 'connection'),
      ),
    });
    passed.end(body);
    const [got] = (await once(passed, 'response')) as [IncomingMessage];
    call.status = got.statusCode;
    const content = await buffer(got);
    if (fault === 'lost') return void asked.socket.resetAndDestroy();
    const isRead = asked.method === 'GET' && got.statusCode === 200;
    const given =
      fault === 'wrong' && isRead
        ? flipped(content, 1 / 3)
        : fault === 'nothing' && isRead
          ? Buffer.alloc(0)
          : content;
    const headers = { ...got.headers };
    delete headers['transfer-encoding'];
    delete headers.connection;
    if (asked.method !== 'HEAD') headers['content-length'] = String(given.length);
    answer.writeHead(got.statusCode ?? 500, headers);
    if (fault === 'cut' || fault === 'stalled') {
      answer.flushHeaders();
      answer.write(given.subarray(0, given.length / 2));
      if (fault === 'cut') setImmediate(() => asked.socket.resetAndDestroy());
      return;
    }
    answer.end(given);
  }

  /** Only a server that stores badly can keep other bytes than were signed for: so the proxy signs for itself. */
  async function storeOther(path: string, body: Buffer): Promise<string | undefined> {
    const [, bucket = '', ...key] = new URL(path, server.endpoint).pathname
      .split('/')
      .map(decodeURIComponent);
    const { VersionId } = await ownClient.send(
      new PutObjectCommand({ Bucket: bucket, Key: key.join('/'), Body: body }),
    );
    return VersionId;
  }

  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    endpoint: `http://127.0.0.1:${String((proxy.address() as { port: number }).port)}`,
    calls,
    plan(next) {
      decide = next;
      calls.length = 0;
    },
    async stop() {
      proxy.closeAllConnections();
      await once(proxy.close(), 'close');
    },
  };
}

/** The same with one bit turned, so far into it; nothing becomes one byte. */
function flipped(bytes: Buffer, part: number): Buffer {
  const other = Buffer.from(bytes.length === 0 ? [0] : bytes);
  const place = Math.floor(other.length * part);
  other[place] = (other[place] ?? 0) ^ 1;
  return other;
}
