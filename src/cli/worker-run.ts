import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { createTesseractEngine } from '../ocr/tesseract-engine.ts';
import { createStore } from '../store/create-store.ts';
import { startWorker } from '../worker/start-worker.ts';

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
  try {
    const worker = await startWorker({
      config,
      store: createStore(config),
      engine,
      log,
      signal: interrupted,
    }).catch((error: unknown) => {
      if (!interrupted.aborted) throw error;
    });
    if (!worker) return;
    try {
      await use();
    } finally {
      await worker.stop();
    }
  } finally {
    await engine.close();
  }
}
