import { createHash, hash as hashAtOnce } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DocketError } from '../errors.ts';
import type { OcrEngine } from './engine.ts';
import { BUILT_IN, NULL_ENGINE, requireEngineOf } from './setup.ts';
import type { OcrSetup } from './setup.ts';

const FACTS = { engine: NULL_ENGINE, version: 1 } as const;

/** So much is read in less time than it takes to wake a thread that reads it; others have their turn after it. */
const PIECE_BYTES = 65_536;
/** Of all engines: what was read is hashed before others have their turn. */
const piece = Buffer.alloc(PIECE_BYTES);

/**
 * An engine that recognises nothing: one page whose only word is the start of the file's SHA-256. It reads the whole
 * file, as a real engine would, so what remains to be measured is the price of everything around recognition. A setup may
 * have it state another confidence, or fail with a code; the other parameters change nothing.
 */
export function createNullEngine(): OcrEngine {
  return {
    configuration: async (setup = BUILT_IN) => {
      requireEngineOf(setup, FACTS);
      const { version, parameters } = setup;
      return await Promise.resolve({
        ...FACTS,
        ...(version !== BUILT_IN.version && { ocrVersion: version, parameters }),
      });
    },
    async recognise(file, { signal, setup = BUILT_IN }) {
      const { confidence, fails } = parametersOf(setup);
      if (fails !== undefined) throw new DocketError(fails, 'the engine was told to fail');
      const word = (await hashOf(file, signal)).slice(0, 16);
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
            confidence,
            text: word,
            words: [[word, confidence, 100, 100, 400, 140]],
          },
        ],
      };
    },
    close: () => Promise.resolve(),
  };
}

function parametersOf(setup: OcrSetup): { confidence: number; fails: string | undefined } {
  requireEngineOf(setup, FACTS);
  const { confidence = 100, fails } = setup.parameters.null ?? {};
  return { confidence, fails };
}

async function hashOf(file: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  let hash: Hash | undefined;
  let filled = 0;
  const descriptor = openSync(file, 'r');
  try {
    for (;;) {
      const read = readSync(descriptor, piece, filled, PIECE_BYTES - filled, null);
      if (read === 0) break;
      filled += read;
      if (filled < PIECE_BYTES) continue;
      hash = (hash ?? createHash('sha256')).update(piece);
      filled = 0;
      await nextTurn();
      signal.throwIfAborted();
    }
  } finally {
    closeSync(descriptor);
  }
  const last = piece.subarray(0, filled);
  return hash ? hash.update(last).digest('hex') : hashAtOnce('sha256', last);
}
