import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { createTesseractEngine } from '../ocr/tesseract-engine.ts';
import { createStore } from '../store/create-store.ts';
import type { Traces } from '../traces.ts';
import { startWorker } from '../worker/start-worker.ts';
import { checkpointSigner } from './checkpoint-signer.ts';
import { receiptSigner } from './receipt-signer.ts';
import { VERSION } from '../version.ts';
import { withKeyring } from './sealing-keys.ts';

/**
 * Runs a worker with the store and the engine of the configuration while `use` does, then stops it and gives everything
 * back. If the worker is still waiting for the database when `interrupted` is aborted, `use` is not called.
 */
export async function withWorker(
  config: Config,
  options: {
    log: Log;
    interrupted: AbortSignal;
    tell: (line: string) => void;
    /** Whether the data folder is that of the database, so that keys may be made there. Default true. */
    ownFolder?: boolean;
  },
  use: () => Promise<void>,
): Promise<void> {
  const { log, interrupted, tell, ownFolder = true } = options;
  const engine = createTesseractEngine({
    log,
    memoryLimitMb: config.ocrMemoryMb,
    limits: { maxPages: config.maxPages, maxPixels: config.maxPixels },
  });
  const traces = await openTraces(config, log);
  try {
    await withKeyring(config, tell, async (keyring) => {
      const signer = await receiptSigner(config, { ownFolder, tell, log });
      const logSigner = await checkpointSigner(config, { ownFolder, tell, log });
      const worker = await startWorker({
        config,
        store: createStore(config),
        keyring,
        engine,
        signer,
        checkpointSigner: logSigner,
        traces,
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
    await traces?.stop();
  }
}

/** What tells of traces is loaded only where somebody is to be told. */
async function openTraces(
  { tracesUrl: url, tracesShare: share }: Config,
  log: Log,
): Promise<Traces | undefined> {
  if (url === undefined) return undefined;
  const { openOtlpTraces } = await import('../otlp-traces.ts');
  return openOtlpTraces({ url, share, version: VERSION, log });
}
