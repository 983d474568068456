import type { Logger } from 'pino';
import { DocketError } from '../errors.ts';
import { describeConfiguration } from './configuration.ts';
import { findConfinement } from '../sandbox/confinement.ts';
import type { OcrEngine, Recognition, RecognisedPage, RecogniseOptions } from './engine.ts';
import type { ChildFacts, Order } from './protocol.ts';
import { RecogniserProcess } from './recogniser-process.ts';
import { BUILT_IN, requireEngineOf } from './setup.ts';
import type { OcrSetup } from './setup.ts';
import { createSlots } from './slots.ts';

/** A child is replaced, between pages, when it holds this share of what it may use: WebAssembly memory never shrinks. */
const RECYCLE_SHARE = 0.4;
/** … or after so many pages, whatever it holds. */
const RECYCLE_AFTER_PAGES = 200;
/** How long a page may take. A whole document has time for all its pages; one that hangs is noticed by this. */
const PAGE_WITHIN_MS = 180_000;
/** A child that nobody has needed for so long is ended: there were more slots once, more to do, or other parameters. */
const IDLE_MS = 300_000;
const MEBIBYTE = 1024 * 1024;

export interface TesseractEngineOptions {
  readonly log: Logger;
  /** Documents recognised at the same time, each in a process of its own; as many as are asked for unless stated. */
  readonly children?: number;
  /** Resident memory, in MiB, beyond which a child is killed (OCR_OUT_OF_MEMORY). */
  readonly memoryLimitMb: number;
  readonly limits: { readonly maxPages: number; readonly maxPixels: number };
  /** How long opening a document and each of its pages may take (OCR_TIMEOUT), in milliseconds; three minutes by default. */
  readonly pageWithinMs?: number;
  /** How long a child may have nothing to do before it is ended, in milliseconds; five minutes by default. */
  readonly idleMs?: number;
}

type OnPage = RecogniseOptions['onPage'];

interface Slot {
  process: RecogniserProcess | undefined;
  /** What it reads by. */
  parameters: string;
  pages: number;
  idle: NodeJS.Timeout | undefined;
}

/**
 * The engine that needs nothing but npm packages: Tesseract, PDFium and libvips in confined child processes. The parent
 * never decodes anything; it sends paths, and gets pages one by one. Children start when first needed. A child reads by the
 * parameters that it was started with; where a slot has one that reads by others, it is replaced.
 */
export function createTesseractEngine(options: TesseractEngineOptions): OcrEngine {
  const { log, memoryLimitMb, limits, children = Infinity } = options;
  const { pageWithinMs = PAGE_WITHIN_MS, idleMs = IDLE_MS } = options;
  const confinement = findConfinement(memoryLimitMb);
  const slots = createSlots(children, (): Slot => ({
    process: undefined,
    parameters: '',
    pages: 0,
    idle: undefined,
  }));
  let closed = false;

  /** A slot, if possible one whose child reads by the same parameters; none that has a child which does not. */
  async function take(signal: AbortSignal, setup: OcrSetup): Promise<Slot> {
    const parameters = JSON.stringify(setup.parameters);
    const slot = await slots.take(
      signal,
      (one) => one.process !== undefined && one.parameters === parameters,
    );
    clearTimeout(slot.idle);
    if (slot.parameters !== parameters) await retire(slot);
    slot.parameters = parameters;
    return slot;
  }

  function giveBack(slot: Slot): void {
    slot.idle = setTimeout(() => void retire(slot), idleMs);
    slot.idle.unref();
    slots.giveBack(slot);
  }

  /** A child that may read by the setup, and what it says of itself. */
  async function running(
    slot: Slot,
    setup: OcrSetup,
  ): Promise<{ child: RecogniserProcess; facts: ChildFacts }> {
    if (closed) throw new DocketError('WORKER_STOPPING', 'the engine is closed');
    if (slot.process?.isIntact !== true) {
      slot.process = new RecogniserProcess({ log, confinement, memoryLimitMb, overrides: setup.parameters });
      slot.pages = 0;
    }
    const child = slot.process;
    const facts = await child.facts().catch(async (error: unknown) => {
      await child.kill();
      throw error;
    });
    requireEngineOf(setup, facts);
    return { child, facts };
  }

  async function retire(slot: Slot): Promise<void> {
    const { process } = slot;
    clearTimeout(slot.idle);
    slot.process = undefined;
    await process?.kill();
  }

  /** Reads the document with as many children, one after the other, as its size takes. */
  async function readAll(
    slot: Slot,
    file: string,
    options: { setup: OcrSetup; signal: AbortSignal; onProgress: () => void; onPage: OnPage },
  ): Promise<Recognition> {
    const { setup, signal, onProgress, onPage } = options;
    const pages: RecognisedPage[] = [];
    const warnings = new Set<string>();
    let declared = 0;
    const order = {
      type: 'recognise',
      file,
      ...limits,
      restAbove: memoryLimitMb * RECYCLE_SHARE * MEBIBYTE,
    } as const;
    for (let fromPage = 1; fromPage !== 0;) {
      // Who asked may have been told already that it is over, and others may have the slot.
      signal.throwIfAborted();
      onProgress();
      const { child } = await running(slot, setup);
      signal.throwIfAborted();
      const next: Order = { ...order, fromPage };
      const done = await child.run(next, (answer) => {
        onProgress();
        if (answer.type === 'opened') declared = answer.declared;
        if (answer.type !== 'page') return;
        pages.push(answer.page);
        onPage?.(answer.page);
        slot.pages += 1;
      });
      done.warnings.forEach((warning) => warnings.add(warning));
      fromPage = done.nextPage;
      if (done.tired || slot.pages >= RECYCLE_AFTER_PAGES) await retire(slot);
    }
    return { pagesDeclared: declared, pagesDecoded: pages.length, warnings: [...warnings], pages };
  }

  return {
    async configuration(setup = BUILT_IN) {
      const slot = await take(new AbortController().signal, setup);
      try {
        const { facts } = await running(slot, setup);
        return describeConfiguration(facts, confinement, options, setup);
      } finally {
        giveBack(slot);
      }
    },

    async recognise(file, { signal, deadline, setup = BUILT_IN, onPage }) {
      const silence = new AbortController();
      let silenceTimer: NodeJS.Timeout | undefined;
      const onProgress = (): void => {
        clearTimeout(silenceTimer);
        silenceTimer = setTimeout(() => silence.abort(), pageWithinMs);
      };
      const limit = AbortSignal.any([signal, silence.signal, AbortSignal.timeout(Math.max(0, deadline))]);
      const stopped = (): Error => {
        if (signal.aborted) return signal.reason as Error;
        return silence.signal.aborted ? timedOut('a page', pageWithinMs) : timedOut('recognition', deadline);
      };
      const slot = await take(limit, setup).catch((error: unknown) => {
        throw limit.aborted ? stopped() : error;
      });
      let stop: () => void = () => undefined;
      const interrupted = new Promise<never>((_, reject) => {
        stop = () => reject(stopped());
      });
      limit.addEventListener('abort', stop, { once: true });
      if (limit.aborted) stop();
      try {
        return await Promise.race([
          readAll(slot, file, { setup, signal: limit, onProgress, onPage }),
          interrupted,
        ]);
      } catch (error) {
        // The next document gets a child to which nothing has happened.
        if (slot.process?.isIntact !== true) await retire(slot);
        throw error;
      } finally {
        clearTimeout(silenceTimer);
        limit.removeEventListener('abort', stop);
        giveBack(slot);
      }
    },

    async close() {
      closed = true;
      slots.close();
      await Promise.all(slots.all.map(retire));
    },
  };
}

function timedOut(what: string, limitMs: number): DocketError {
  return new DocketError('OCR_TIMEOUT', `${what} took longer than ${limitMs} ms`, { data: { limitMs } });
}
