import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import { createTesseractEngine } from '../../ocr/tesseract-engine.ts';
import { toDocketError } from '../cli-error.ts';
import type { Finding } from './finding.ts';

/** Whether the process that recognises can be started here, confined as it is for a worker. It is started once, and ended. */
export async function engineFindings(
  { ocrMemoryMb, maxPages, maxPixels }: Pick<Config, 'ocrMemoryMb' | 'maxPages' | 'maxPixels'>,
  log: Log,
): Promise<Finding[]> {
  const engine = createTesseractEngine({
    log,
    children: 1,
    memoryLimitMb: ocrMemoryMb,
    limits: { maxPages, maxPixels },
  });
  try {
    await engine.configuration();
    return [];
  } catch (error) {
    const { code, message } = toDocketError(error);
    return [
      {
        severity: 'problem',
        what: `the process that recognises cannot be started here: ${code}, ${message}`,
        consequence: 'every document that a worker of this host takes up waits, then is quarantined',
        remedy:
          'install the package anew (npm ci), and give the process the memory that it needs (DOCKET_OCR_MEMORY_MB)',
      },
    ];
  } finally {
    await engine.close();
  }
}
