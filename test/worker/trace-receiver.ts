import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** A span as OTLP over HTTP brings it, with its values in the plain. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
  /** The message of a failure. */
  readonly error: string | undefined;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A receiver of traces at a port of its own, until the tests of the file are over. */
export interface TraceReceiver {
  readonly url: string;
  /** All that came, as it came. */
  readonly bodies: string[];
  spans(): ReceivedSpan[];
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      const isOurs = request.method === 'POST' && request.url === '/v1/traces';
      if (isOurs) bodies.push(body);
      response.writeHead(isOurs ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}`, bodies, spans: () => bodies.flatMap(spansOf) };
}

interface Valued {
  key: string;
  value: Record<string, unknown>;
}
interface SpanJson {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: Valued[];
  events?: { name: string; attributes?: Valued[] }[];
  status?: { code?: number; message?: string };
}
interface TracesJson {
  resourceSpans: { resource: { attributes: Valued[] }; scopeSpans: { spans: SpanJson[] }[] }[];
}

function spansOf(body: string): ReceivedSpan[] {
  return (JSON.parse(body) as TracesJson).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...{ name: span.name, traceId: span.traceId, spanId: span.spanId, parentSpanId: span.parentSpanId },
        startMs: Number(span.startTimeUnixNano) / 1e6,
        endMs: Number(span.endTimeUnixNano) / 1e6,
        attributes: plain(span.attributes),
        events: (span.events ?? []).map(({ name, attributes }) => ({ name, attributes: plain(attributes) })),
        // 2 is the code of an error.
        error: span.status?.code === 2 ? span.status.message : undefined,
        resource: plain(resource.attributes),
      })),
    ),
  );
}

/** Each value lies under the name of its type: {"intValue": 3}. Whole numbers may be text. */
function plain(attributes: readonly Valued[] = []): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [[type, held] = []] = Object.entries(value);
      return [key, type === 'intValue' ? Number(held) : held];
    }),
  );
}
