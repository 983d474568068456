import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { DocketError } from '../../src/errors.ts';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { openOtlpTraces } from '../../src/otlp-traces.ts';
import type { Traces } from '../../src/traces.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import type { ReceivedSpan } from './trace-receiver.ts';
import { startTraceReceiver } from './trace-receiver.ts';

/** What a receiver of OpenTelemetry traces is told of documents, seen through whole workers. */
const fixture = await createFixture();
const receiver = await startTraceReceiver();
const tracesTo = (url: string, share = 1): Traces =>
  openOtlpTraces({ url, share, version: '9.9.9', log: fixture.log });

const nullEngine = createNullEngine();
let failsOnce = false;
const engine: OcrEngine = {
  ...nullEngine,
  async recognise(file, options) {
    const recognition = await nullEngine.recognise(file, options);
    recognition.pages.forEach((page) => options.onPage?.(page));
    if (failsOnce) {
      failsOnce = false;
      throw new DocketError('OCR_CRASHED', `it died of ${file}, in which stands SECRET-4711`);
    }
    return recognition;
  },
};

async function publish(content: string): Promise<{ job: string; traceId: string; locator: string }> {
  const object = await fixture.put(content);
  const [job = ''] = await fixture.deliver(object);
  await eventually('it is published', async () => (await fixture.states([job]))[0] === 'published');
  return { job, traceId: job.replaceAll('-', ''), locator: object.locator };
}

/** The spans of a trace, once the span of the whole document is among them. */
async function spansOf(traceId: string, ...wanted: string[]): Promise<ReceivedSpan[]> {
  return eventually('the document was told of', () => {
    const spans = receiver.spans().filter((span) => span.traceId === traceId);
    return (
      ['document', 'publish', ...wanted].every((name) => spans.some((span) => span.name === name)) && spans
    );
  });
}

test('what two workers do for a document is one trace, in which every attempt, its steps and the log have their places', async () => {
  const workers = [tracesTo(receiver.url), tracesTo(receiver.url)];
  const [one, two] = [
    await fixture.startWorker(engine, { traces: workers[0] }),
    await fixture.startWorker(engine, { traces: workers[1] }),
  ];
  const { job, traceId, locator } = await publish('a document');
  const spans = await spansOf(traceId);
  await one.stop();
  await two.stop();
  await Promise.all(workers.map((traces) => traces.stop()));

  const named = (name: string): ReceivedSpan => {
    const found = spans.filter((span) => span.name === name);
    assert.equal(found.length, 1, `${name} is told once`);
    return found[0]!;
  };
  const root = named('document');
  assert.equal(root.parentSpanId ?? '', '');
  assert.deepEqual(
    root.events.map(({ name }) => name),
    await fixture.events(job),
  );
  const { rows } = await fixture.db.query<{ first: string; last: string }>(
    `select extract(epoch from min(at)) * 1000 as first, extract(epoch from max(at)) * 1000 as last
     from docket_audit.events where job_id = $1`,
    [job],
  );
  // JavaScript knows milliseconds, the log microseconds.
  assert.ok(Math.abs(root.startMs - Number(rows[0]!.first)) < 1.1);
  assert.ok(Math.abs(root.endMs - Number(rows[0]!.last)) < 1.1);
  assert.deepEqual(
    [root.attributes['docket.job'], root.attributes['docket.state'], root.error],
    [job, 'published', undefined],
  );

  const { rows: attempts } = await fixture.db.query<{
    task: string;
    attempt: number;
    version: number | null;
  }>('select task, attempt, ocr_version as version from docket.attempts where job_id = $1 order by attempt', [
    job,
  ]);
  assert.deepEqual(
    attempts.map(({ task }) => task),
    ['hash', 'ocr', 'publish'],
  );
  for (const { task, attempt, version } of attempts) {
    const span = named(task);
    assert.equal(span.parentSpanId, root.spanId);
    assert.equal(span.attributes['docket.attempt'], attempt);
    assert.equal(span.attributes['docket.ocr_version'], version ?? undefined);
    assert.match(String(span.attributes['docket.pool']), /^(io|ocr|ocr_reserved)$/);
    assert.ok(span.endMs >= span.startMs);
  }
  assert.equal(named('publish').attributes['docket.outcome'], 'published');

  const parents: Record<string, string> = {
    ...{ read: 'hash', record_verified: 'hash', publish_results: 'publish' },
    ...{ copy: 'ocr', recognise: 'ocr', redact: 'ocr', record_results: 'ocr' },
  };
  for (const [step, task] of Object.entries(parents))
    assert.equal(named(step).parentSpanId, named(task).spanId, step);
  assert.equal(named('recognise').attributes['docket.pages'], 1);
  assert.deepEqual(
    named('recognise').events.map(({ name, attributes }) => [name, attributes['docket.words']]),
    [['page', 1]],
  );
  assert.deepEqual([root.resource['service.name'], root.resource['service.version']], ['docket', '9.9.9']);

  const told = receiver.bodies.join('\n');
  const { rows: pages } = await fixture.db.query<{ text: string }>(
    'select text from docket.pages where job_id = $1',
    [job],
  );
  for (const secret of [locator, pages[0]!.text, 'tester', 'carrier-a']) {
    assert.ok(!told.includes(secret), `${secret} is not told`);
  }
});

test('a failure is told by its code, and nothing of its message', async () => {
  const traces = tracesTo(receiver.url);
  const worker = await fixture.startWorker(engine, { traces });
  failsOnce = true;
  const { traceId } = await publish('one that fails once');
  const spans = await spansOf(traceId);
  await worker.stop();
  await traces.stop();
  const attempts = spans.filter(({ name }) => name === 'ocr').toSorted((a, b) => a.startMs - b.startMs);
  assert.deepEqual(
    attempts.map(({ error, attributes }) => [error, attributes['docket.code'], attributes['docket.outcome']]),
    [
      ['OCR_CRASHED', 'OCR_CRASHED', 'retry'],
      [undefined, undefined, attempts[1]?.attributes['docket.outcome']],
    ],
  );
  const failed = spans.filter(({ name, error }) => name === 'recognise' && error !== undefined);
  assert.deepEqual(
    failed.map(({ error, parentSpanId }) => [error, parentSpanId]),
    [['OCR_CRASHED', attempts[0]?.spanId]],
  );
  assert.ok(!receiver.bodies.join('\n').includes('SECRET-4711'));
});

test('where no receiver answers, documents are published as ever, and the worker stops', async () => {
  const traces = tracesTo('http://127.0.0.1:9');
  const worker = await fixture.startWorker(engine, { traces });
  await publish('of which nobody hears');
  await worker.stop();
  await traces.stop();
});

test('of a share of the documents the others are told nothing of, by any worker', async () => {
  const traces = tracesTo(receiver.url, 0);
  const worker = await fixture.startWorker(engine, { traces });
  const { traceId } = await publish('not among the share');
  await worker.stop();
  await traces.stop();
  assert.deepEqual(
    receiver.spans().filter((span) => span.traceId === traceId),
    [],
  );
});

test('a worker that tells nobody loads nothing of OpenTelemetry', async () => {
  const script = `
    import { registerHooks } from 'node:module';
    const seen = [];
    registerHooks({ resolve: (name, context, next) => (seen.push(name), next(name, context)) });
    await import(process.argv[1]);
    console.log(JSON.stringify(seen));`;
  const main = join(import.meta.dirname, '../../src/cli/worker-run.ts');
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, main]);
  const seen = JSON.parse(stdout) as string[];
  assert.ok(seen.some((name) => name.endsWith('start-worker.ts')));
  assert.deepEqual(
    seen.filter((name) => name.includes('opentelemetry')),
    [],
  );
});
