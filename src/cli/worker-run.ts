import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { createTesseractEngine } from '../ocr/tesseract-engine.ts';
import { createStore } from '../store/create-store.ts';
import { withKeyring } from './sealing-keys.ts';
import { startWorker } from '../worker/start-worker.ts';

/**
 * Runs a worker with the store and the engine of the configuration while `use` does, then stops it and gives everything
 * back. If the worker is still waiting for the database when `interrupted` is aborted, `use` is not called.
 */
export async function withWorker(
  config: Config,
  { log, interrupted, tell }: { log: Log; interrupted: AbortSignal; tell: (line: string) => void },
  use: () => Promise<void>,
): Promise<void> {
  const engine = createTesseractEngine({
    log,
    children: config.ocrSlots,
    memoryLimitMb: config.ocrMemoryMb,
    limits: { maxPages: config.maxPages, maxPixels: config.maxPixels },
  });
  try {
    await withKeyring(config, tell, async (keyring) => {
      const worker = await startWorker({
        config,
        store: createStore(config),
        keyring,
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
    });
  } finally {
    await engine.close();
  }
}
