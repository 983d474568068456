import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { OcrEngine } from './engine.ts';

/**
 * An engine that recognises nothing: one page whose only word is the start of the file's SHA-256. It reads the whole
 * file, as a real engine would, so what remains to be measured is the price of everything around recognition.
 */
export function createNullEngine(): OcrEngine {
  return {
    configuration: () => Promise.resolve({ engine: 'null', version: 1 }),
    async recognise(file, { signal }) {
      const hash = createHash('sha256');
      await pipeline(createReadStream(file), hash, { signal });
      const word = hash.digest('hex').slice(0, 16);
      return {
        pagesDeclared: 1,
        pagesDecoded: 1,
        warnings: [],
        pages: [
          {
            pageNo: 1,
            width: 1700,
            height: 2200,
            dpi: 200,
            rotation: 0,
            angle: 0,
            verdict: 'text',
            confidence: 100,
            text: word,
            words: [[word, 100, 100, 100, 400, 140]],
          },
        ],
      };
    },
    close: () => Promise.resolve(),
  };
}
