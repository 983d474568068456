import type { ComparedDocument } from '../../../src/domain/comparison/trial-totals.ts';
import type { TriedDocument } from '../../../src/domain/comparison/judge-trial.ts';

/** A document of 100 words, 10 of them fields, that was read to the letter as before; unless changed. */
export function compared(changes: Partial<ComparedDocument> = {}): ComparedDocument {
  return {
    pagesBefore: 1,
    pagesAfter: 1,
    charactersBefore: 500,
    charactersAfter: 500,
    characterEdits: 0,
    wordsBefore: 100,
    wordsAfter: 100,
    wordsKept: 100,
    fieldsBefore: 10,
    fieldsAfter: 10,
    fieldsKept: 10,
    confidenceBefore: 90,
    confidenceAfter: 90,
    secondsBefore: 2,
    secondsAfter: 2,
    failedGates: [],
    pages: [],
    ...changes,
  };
}

/** A document of a trial; what it is compared with, or why it is not. */
export function tried(
  jobId: string,
  of: Partial<ComparedDocument> | { outcome: string | null; code?: string },
  kind = 'unknown',
): TriedDocument {
  if ('outcome' in of)
    return { jobId, kind, outcome: of.outcome, code: of.code ?? null, compared: undefined };
  return { jobId, kind, outcome: 'compared', code: null, compared: compared(of) };
}
