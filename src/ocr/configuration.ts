import type { Confinement } from '../sandbox/confinement.ts';
import type { OcrConfiguration } from './engine.ts';
import { ORIENTATION, PREPARATION, RASTERISATION, SECOND_READING, TESSERACT } from './parameters.ts';
import type { ChildFacts } from './protocol.ts';

/**
 * All that has a say in what a page is read as: programs with their versions, the model by its hash, every parameter. Two
 * results under one configuration are the same text, or something is wrong.
 */
export function describeConfiguration(
  { engine, ...facts }: ChildFacts,
  confinement: Confinement,
  { memoryLimitMb, limits }: { memoryLimitMb: number; limits: { maxPages: number; maxPixels: number } },
): OcrConfiguration {
  return {
    engine,
    ...facts,
    parameters: {
      tesseract: TESSERACT,
      preparation: PREPARATION,
      orientation: ORIENTATION,
      secondReading: SECOND_READING,
      rasterisation: RASTERISATION,
    },
    limits: { ...limits, memoryLimitMb },
    confinement: confinement.measures,
  };
}
