import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import { engineFacts } from '../../ocr/engine-facts.ts';
import type { Overrides } from '../../ocr/parameter-overrides.ts';
import { requireEngineOf } from '../../ocr/setup.ts';

/** What of an engine decides what a page is read as, beside its parameters. */
const PINNED = ['engine', 'tesseract', 'core', 'model', 'modelSha256'] as const;

/**
 * What the engine of this host says of itself where it reads by these parameters: to be asked of every host that is to read by them.
 * Throws OCR_UNAVAILABLE where it does not start, or does not read by them.
 */
export async function localPins(
  { ocrMemoryMb: memoryLimitMb }: Pick<Config, 'ocrMemoryMb'>,
  parameters: Overrides,
  log: Log,
): Promise<Record<string, string>> {
  const facts = await engineFacts({ memoryLimitMb, log }, parameters);
  // It is not in the database yet, so that it has no number.
  requireEngineOf({ version: 0, engine: null, parameters, pins: {} }, facts);
  return Object.fromEntries(PINNED.map((name) => [name, facts[name]]));
}
