import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { diag, DiagLogLevel, ROOT_CONTEXT, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { DocketError } from './errors.ts';
import type { Log } from './log.ts';
import type { AttemptTrace, Step, Traces, TraceValues } from './traces.ts';

const EXPORT_EVERY_MS = 1_000;
const EXPORT_WITHIN_MS = 5_000;
const STOP_WITHIN_MS = 3_000;
/** Spans that wait to be told; what comes while so many do is dropped. */
const MOST_WAITING = 8_192;
const WARN_EVERY_MS = 60_000;

/**
 * Tells traces to a receiver of OTLP over HTTP. The trace id is the id of the job, so that what several processes tell of a
 * document is one trace, and a share of all documents is the same share in each of them. Loaded only where traces are
 * wanted: see docs/traces.md.
 */
export function openOtlpTraces(options: {
  /** Of the receiver, without /v1/traces. */
  url: string;
  /** Share of the documents, 0..1. */
  share: number;
  version: string;
  log: Log;
}): Traces {
  const { url, share, version, log } = options;
  warnThrottled(log);
  const random = new RandomIdGenerator();
  /** Ids of the span that is made next, where they are not random. */
  let ids: { traceId: string; spanId: string } | undefined;
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({
      url: `${url.replace(/\/$/, '')}/v1/traces`,
      timeoutMillis: EXPORT_WITHIN_MS,
    }),
    scheduledDelayMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: EXPORT_WITHIN_MS,
    maxQueueSize: MOST_WAITING,
  });
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        ...{ 'service.name': 'docket', 'service.version': version },
        ...{ 'host.name': hostname(), 'process.pid': process.pid },
      }),
    ),
    sampler: new TraceIdRatioBasedSampler(share),
    idGenerator: {
      generateTraceId: () => ids?.traceId ?? random.generateTraceId(),
      generateSpanId: () => ids?.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('docket', version);

  return {
    attempt(jobId, task, values) {
      const place = { ...idsOf(jobId), traceFlags: TraceFlags.SAMPLED, isRemote: true };
      const within = trace.setSpanContext(ROOT_CONTEXT, place);
      return traceAttempt(tracer, tracer.startSpan(task, { attributes: attributesOf(values) }, within));
    },

    document(jobId, events, values, code) {
      const [first] = events;
      const last = events.at(-1);
      if (first === undefined || last === undefined) return;
      ids = idsOf(jobId);
      const span = tracer.startSpan(
        'document',
        { root: true, startTime: first.at, attributes: attributesOf(values) },
        ROOT_CONTEXT,
      );
      ids = undefined;
      for (const event of events) span.addEvent(event.name, attributesOf(event.values), event.at);
      mark(span, code);
      span.end(last.at);
    },

    async stop() {
      const patience = new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), patience]);
    },
  };
}

/** Steps are children of the attempt's span. */
function traceAttempt(tracer: Tracer, span: Span): AttemptTrace {
  const within: Context = trace.setSpan(ROOT_CONTEXT, span);
  return {
    async step(name, work) {
      const child = tracer.startSpan(name, {}, within);
      const step: Step = {
        note: (values) => void child.setAttributes(attributesOf(values)),
        event: (event, values) => void child.addEvent(event, attributesOf(values)),
      };
      try {
        return await work(step);
      } catch (error) {
        mark(child, error instanceof DocketError ? error.code : 'INTERNAL_ERROR');
        throw error;
      } finally {
        child.end();
      }
    },
    end(values, code) {
      span.setAttributes(attributesOf(values));
      mark(span, code);
      span.end();
    },
  };
}

/** A failure by its code: messages may say where a scan lies. */
function mark(span: Span, code: string | undefined): void {
  if (code === undefined) return;
  span.setAttribute('docket.code', code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}

/** The trace of a document, and the span that all others hang below, known to whoever knows the job. */
function idsOf(jobId: string): { traceId: string; spanId: string } {
  return {
    traceId: jobId.replaceAll('-', ''),
    spanId: createHash('sha256').update(`docket document ${jobId}`).digest('hex').slice(0, 16),
  };
}

function attributesOf(values: TraceValues): Attributes {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[`docket.${name}`, value] as const],
    ),
  );
}

/** That spans cannot be told is worth a line now and then, and nothing more. */
function warnThrottled(log: Log): void {
  let nextMs = -Infinity;
  const warn = (message: string): void => {
    const nowMs = performance.now();
    if (nowMs < nextMs) return;
    nextMs = nowMs + WARN_EVERY_MS;
    log.warn({ otlp: message.slice(0, 300) }, 'traces were not told; documents are not affected');
  };
  const quiet = (): void => undefined;
  diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
