// A worker in a process of its own, for tests that kill or stop it. Started by `spawnWorker`, talks to it by messages.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import pg from 'pg';
import { openCheckpointSigner } from '../../src/checkpoints/signer.ts';
import type { Config } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { createTesseractEngine } from '../../src/ocr/tesseract-engine.ts';
import { openReceiptSigner } from '../../src/receipts/signer.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { createFileStore } from '../../src/store/file-store.ts';
import type { ObjectStore } from '../../src/store/store.ts';
import { exitOnUncaught } from '../../src/worker/crash-guard.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { type AwaitPoint, watchAwaits } from './await-points.ts';

export interface ProcessOptions {
  config: Config;
  /** How long recognition takes; until told to go on by a message, if Infinity cannot be sent: null. */
  recogniseMs: number | null;
  /** Where to die by SIGKILL, if anywhere: before or after the n-th call (from 1) that the pattern describes. */
  dieAt?: { pattern: string; call: number; when: 'before' | 'after' };
  /** Where to die otherwise: when it first passes that point. `tell` has it send each point that it passes, the first time. */
  awaits?: AwaitPoint | 'tell';
  /** What a file holds that kills the process which recognises it. */
  poison?: string;
  /** PDFs are recognised by Tesseract, in confined children as in production; everything else by the null engine. */
  readsPdf?: boolean;
}

const options = JSON.parse(process.argv[2] ?? '') as ProcessOptions;
// What ends the process, and nothing less, is always to be seen.
const log = createLog({ level: process.env['TEST_LOG'] ?? 'fatal' });
exitOnUncaught(log);
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort(new Error('told to stop')));
process.on('disconnect', () => process.exit(1));
process.send?.({ listening: 'to signals' });
// Those that are killed keep nothing else.
flushCompileCache();

if (options.awaits !== undefined) {
  const { awaits } = options;
  const told = new Set<string>();
  watchAwaits(({ place, when }) => {
    if (awaits !== 'tell') {
      if (place === awaits.place && when === awaits.when) process.kill(process.pid, 'SIGKILL');
    } else if (when === 'after' && !told.has(place)) {
      told.add(place);
      process.send?.({ awaited: place });
    }
  });
}

let calls = 0;
/** Names a point that work passes; the process may be told to die there. */
async function passing<Value>(point: string, work: () => Promise<Value>): Promise<Value> {
  const { dieAt } = options;
  const isHere = dieAt !== undefined && new RegExp(dieAt.pattern).test(point) && ++calls === dieAt.call;
  if (isHere && dieAt.when === 'before') await die();
  const value = await work();
  if (isHere) await die();
  return value;
}

function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

/** Every statement of this process passes by here; only this test program knows. */
const query = pg.Client.prototype.query as unknown as (...parts: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...parts: unknown[]) {
  const [first] = parts;
  const text = typeof first === 'string' ? first : ((first as { text?: string }).text ?? '');
  if (options.dieAt === undefined) return query.apply(this, parts);
  const callback = parts.at(-1);
  if (typeof callback !== 'function')
    return passing(text, () => query.apply(this, parts) as Promise<unknown>);
  const answered = () =>
    new Promise<unknown[]>((resolve) => {
      query.call(this, ...parts.slice(0, -1), (...answer: unknown[]) => resolve(answer));
    });
  return void passing(text, answered).then((answer) => {
    (callback as (...answer: unknown[]) => void)(...answer);
  });
} as typeof pg.Client.prototype.query;

function passingStore(store: ObjectStore): ObjectStore {
  return {
    ...store,
    get: (reference, reading) => passing('store get', () => store.get(reference, reading)),
  };
}

/** Reads PDFs with Tesseract, and all others with the engine that is given. */
function readingPdf(others: OcrEngine): OcrEngine {
  const { ocrSlots, ocrMemoryMb, maxPages, maxPixels } = options.config;
  const tesseract = createTesseractEngine({
    log,
    children: ocrSlots,
    memoryLimitMb: ocrMemoryMb,
    limits: { maxPages, maxPixels },
  });
  return {
    ...tesseract,
    // known beforehand, so that a worker that is given no PDF starts no Tesseract
    configuration: () => Promise.resolve({ engine: 'null, or Tesseract for PDFs' }),
    async recognise(file, recognising) {
      const start = await readFile(file, { encoding: 'latin1' });
      return (start.startsWith('%PDF') ? tesseract : others).recognise(file, recognising);
    },
  };
}

function slowEngine(engine: OcrEngine): OcrEngine {
  return {
    ...engine,
    async recognise(file, recognising) {
      process.send?.({ recognising: file });
      recognising.signal.addEventListener('abort', () => process.send?.({ aborted: file }), { once: true });
      if (options.poison !== undefined && (await readFile(file)).includes(options.poison)) await die();
      return passing('recognise', async () => {
        const { recogniseMs } = options;
        await new Promise((resolve) => {
          if (recogniseMs === null) process.once('message', resolve);
          else setTimeout(resolve, recogniseMs);
        });
        return engine.recognise(file, recognising);
      });
    },
  };
}

const nullEngine = slowEngine(createNullEngine());

const worker = await startWorker({
  config: options.config,
  keyring: await openKeyring(options.config),
  store: passingStore(createFileStore(options.config.store.slice('file:'.length))),
  engine: options.readsPdf === true ? readingPdf(nullEngine) : nullEngine,
  // a test that is about receipts has made the keys
  signer: await openReceiptSigner(options.config, { mayMake: false }),
  // a test that is about checkpoints has made the key
  checkpointSigner: await openCheckpointSigner(options.config, { mayMake: false }),
  log,
  signal: stopping.signal,
}).catch((error: unknown) => {
  if (!stopping.signal.aborted) throw error;
});
if (worker) {
  process.send?.({ lease: worker.leaseId });
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
  await worker.stop();
}
process.exit(0);
