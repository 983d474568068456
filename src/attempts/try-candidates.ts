import { DocketError } from '../errors.ts';
import type { Attempt, Candidate } from './attempt.ts';

const LEAST_HOPEFUL_LAST = [
  'KEY_WRONG',
  'OBJECT_DAMAGED',
  'OBJECT_SWAPPED',
  'HASH_MISMATCH',
  'SIZE_MISMATCH',
  'KEY_MISSING',
  'OBJECT_NOT_FOUND',
  'STORE_DENIED',
  'LOCATOR_INVALID',
  'LOCATOR_TAKEN',
];

/**
 * Reads candidates in order until one can be read; answers which it was, and what reading it gave.
 * When none can, throws the most hopeful of their failures: one that may pass, then what whoever runs Docket can put right,
 * then what the sender can. Throws at once what is no failure of a candidate.
 */
export async function tryCandidates<Value>(
  { candidates }: Pick<Attempt, 'candidates'>,
  signal: AbortSignal,
  read: (candidate: Candidate) => Promise<Value>,
): Promise<{ candidate: Candidate; value: Value }> {
  const failures: DocketError[] = [];
  for (const candidate of candidates) {
    try {
      return { candidate, value: await read(candidate) };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DocketError)) throw error;
      failures.push(error);
    }
  }
  const rank = (failure: DocketError) => LEAST_HOPEFUL_LAST.indexOf(failure.code);
  const [first] = failures.toSorted((one, other) => rank(one) - rank(other));
  throw first ?? new DocketError('INTERNAL_ERROR', 'the job has no delivery to look at');
}
