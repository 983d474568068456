import * as commands from '../db/commands.ts';
import { fromDatabase } from '../db/errors.ts';
import { DocketError } from '../errors.ts';
import type { OcrEngine } from '../ocr/engine.ts';
import type { OcrSetup } from '../ocr/setup.ts';
import { refuseSetup, toOcrSetup } from '../ocr/setup.ts';

/** The OCR configurations, by number, as this worker reads by them. */
export interface OcrSetups {
  /** What an engine needs to know. Rejects with OCR_UNAVAILABLE where this release cannot read by it. */
  readonly ocrSetup: (version: number) => Promise<OcrSetup>;
  /**
   * Hash under which it is registered what the engine of this worker reads with under that number. Rejects with OCR_UNAVAILABLE
   * where the engine does not start, or is not one that may read by it.
   */
  readonly engineConfig: (version: number) => Promise<Buffer>;
}

const UNKNOWN_OCR_VERSION = 'ZD082';

/**
 * Reads configurations when they are first asked for, each once: they never change. What the engine reads with is registered
 * at the first use too: only a running engine knows, and to start one takes as long as all the rest of a worker. What failed
 * is asked again the next time.
 */
export function createOcrSetups(db: commands.Queryable, engine: OcrEngine): OcrSetups {
  const ocrSetup = onceEach(async (version) => {
    const [row] = await commands.ocrSetup(db, { version }).catch((error: unknown) => {
      const failure = fromDatabase(error);
      if (failure.code === UNKNOWN_OCR_VERSION) return [];
      throw failure;
    });
    if (row === undefined) throw refuseSetup(version, ['there is no such configuration']);
    return toOcrSetup(row);
  });
  const engineConfig = onceEach(async (version) => {
    const configuration = await engine.configuration(await ocrSetup(version));
    const config = JSON.stringify(configuration);
    const [row] = await commands
      .registerOcrConfig(db, { engine: configuration.engine, config })
      .catch((error: unknown) => {
        throw fromDatabase(error);
      });
    if (row === undefined)
      throw new DocketError('DATABASE_ERROR', 'the OCR configuration was not registered');
    return row.config_sha256;
  });
  return { ocrSetup, engineConfig };
}

/** Keeps what was found for each number; a failure is forgotten. */
function onceEach<Found>(find: (version: number) => Promise<Found>): (version: number) => Promise<Found> {
  const known = new Map<number, Promise<Found>>();
  return (version) => {
    const found =
      known.get(version) ??
      find(version).catch((error: unknown) => {
        known.delete(version);
        throw error;
      });
    known.set(version, found);
    return found;
  };
}
