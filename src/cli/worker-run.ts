import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { createTesseractEngine } from '../ocr/tesseract-engine.ts';
import { createStore } from '../store/create-store.ts';
import { startWorker } from '../worker/start-worker.ts';
import { untilAborted } from './interrupts.ts';

const GIVE_UP_STARTING_MS = 2_000;

/**
 * Runs a worker with the store and the engine of the configuration while `use` does, then stops it and gives everything
 * back. If the worker is still waiting for the database when `interrupted` is aborted, `use` is not called.
 */
export async function withWorker(
  config: Config,
  { log, interrupted }: { log: Log; interrupted: AbortSignal },
  use: () => Promise<void>,
): Promise<void> {
  const engine = createTesseractEngine({
    log,
    children: config.ocrSlots,
    memoryLimitMb: config.ocrMemoryMb,
    limits: { maxPages: config.maxPages, maxPixels: config.maxPixels },
  });
  const starting = startWorker({
    config,
    store: createStore(config),
    engine,
    log,
  });
  try {
    const worker = await Promise.race([starting, untilAborted(interrupted)]);
    if (worker) await use();
  } finally {
    const stopped = starting.then(
      (worker) => worker.stop(),
      () => undefined,
    );
    // A worker that never got to its database has nothing to give back.
    const isAtWork = await Promise.race([
      starting.then(
        () => true,
        () => false,
      ),
      delay(GIVE_UP_STARTING_MS, false),
    ]);
    if (isAtWork) await stopped;
    await engine.close();
  }
}
