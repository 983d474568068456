import type { Confinement } from '../sandbox/confinement.ts';
import type { OcrConfiguration } from './engine.ts';
import { effectiveParameters } from './effective-parameters.ts';
import type { ChildFacts } from './protocol.ts';
import { BUILT_IN } from './setup.ts';
import type { OcrSetup } from './setup.ts';

/**
 * All that has a say in what a page is read as: programs with their versions, the model by its hash, every parameter. Two
 * results under one configuration are the same text, or something is wrong. The record of the built-in configuration does not
 * state its number: it is the same as before there were several.
 */
export function describeConfiguration(
  { engine, ...facts }: ChildFacts,
  confinement: Confinement,
  { memoryLimitMb, limits }: { memoryLimitMb: number; limits: { maxPages: number; maxPixels: number } },
  setup: OcrSetup,
): OcrConfiguration {
  const { tesseract, preparation, orientation, secondReading, rasterisation } = effectiveParameters(
    setup.parameters,
  );
  return {
    engine,
    ...(setup.version !== BUILT_IN.version && { ocrVersion: setup.version }),
    ...facts,
    parameters: { tesseract, preparation, orientation, secondReading, rasterisation },
    limits: { ...limits, memoryLimitMb },
    confinement: confinement.measures,
  };
}
