import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { Overrides } from '../../ocr/parameter-overrides.ts';
import { createTesseractEngine } from '../../ocr/tesseract-engine.ts';

/** What of an engine decides what a page is read as, beside its parameters. */
const PINNED = ['engine', 'tesseract', 'core', 'model', 'modelSha256'] as const;

/**
 * What the engine of this host says of itself where it reads by these parameters: to be asked of every host that is to read by them.
 * Starts the confined process that recognises, and ends it. Throws OCR_UNAVAILABLE where that cannot be done.
 */
export async function localPins(
  { ocrMemoryMb, maxPages, maxPixels }: Pick<Config, 'ocrMemoryMb' | 'maxPages' | 'maxPixels'>,
  parameters: Overrides,
  log: Log,
): Promise<{ engine: string; pins: Record<string, string> }> {
  const engine = createTesseractEngine({
    log,
    children: 1,
    memoryLimitMb: ocrMemoryMb,
    limits: { maxPages, maxPixels },
  });
  try {
    // It is not in the database yet, so that it has no number.
    const facts = await engine.configuration({ version: 0, engine: null, parameters, pins: {} });
    return {
      engine: facts.engine,
      pins: Object.fromEntries(PINNED.map((name) => [name, String(facts[name])])),
    };
  } finally {
    await engine.close();
  }
}
