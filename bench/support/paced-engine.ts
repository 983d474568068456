// An engine that recognises nothing and takes as long over it as the scan says, until it is told to hurry.
import { setTimeout as delay } from 'node:timers/promises';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';

export interface PacedEngine extends OcrEngine {
  /** What is begun from now on takes no time; or its time again. */
  hurry(on: boolean): void;
}

/** Pages take from `shortestMs` to `longestMs`, evenly spread by the hash of the scan. */
export function createPacedEngine(shortestMs: number, longestMs: number): PacedEngine {
  const engine = createNullEngine();
  let isHurried = false;
  return {
    ...engine,
    hurry: (on) => (isHurried = on),
    async recognise(file, options) {
      const recognition = await engine.recognise(file, options);
      const [page] = recognition.pages;
      const share = Number.parseInt(page!.text.slice(0, 4), 16) / 0xffff;
      if (!isHurried)
        await delay(shortestMs + share * (longestMs - shortestMs), undefined, { signal: options.signal });
      // a signed paper must have something to say
      return {
        ...recognition,
        pages: [{ ...page!, text: Array.from({ length: 4 }, () => page!.text).join(' ') }],
      };
    },
  };
}
