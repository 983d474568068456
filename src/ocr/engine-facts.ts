import type { Logger } from 'pino';
import { findConfinement } from '../sandbox/confinement.ts';
import type { Overrides } from './parameter-overrides.ts';
import type { ChildFacts } from './protocol.ts';
import { RecogniserProcess } from './recogniser-process.ts';

/**
 * What the engine of this host says of itself under these parameters: versions of what it loads, and the hash of the model.
 * Starts one confined process, and ends it. Throws OCR_UNAVAILABLE if it does not start.
 */
export async function engineFacts(
  { memoryLimitMb, log }: { memoryLimitMb: number; log: Logger },
  overrides: Overrides = {},
): Promise<ChildFacts> {
  const confinement = findConfinement(memoryLimitMb);
  const child = new RecogniserProcess({ log, confinement, memoryLimitMb, overrides });
  try {
    return await child.facts();
  } finally {
    await child.kill();
  }
}
