import type { Comparison } from './compare-readings.ts';

/** A document that was read again, beside what is published of it. */
export interface ComparedDocument extends Comparison {
  /** How long the attempt took that made the published result; null where that is not known. */
  readonly secondsBefore: number | null;
  readonly secondsAfter: number;
  /** Codes of the gates that what was read would not pass. */
  readonly failedGates: readonly string[];
}

/** Sums over documents that were compared. */
export interface TrialTotals {
  readonly documents: number;
  readonly pagesBefore: number;
  readonly pagesAfter: number;
  readonly charactersBefore: number;
  readonly characterEdits: number;
  readonly wordsBefore: number;
  readonly wordsAfter: number;
  readonly wordsKept: number;
  readonly fieldsBefore: number;
  readonly fieldsAfter: number;
  readonly fieldsKept: number;
  /** Means over the pages of all documents, 0 to 100. */
  readonly confidenceBefore: number;
  readonly confidenceAfter: number;
  /** The time of all readings over that of those which made the published results; null where none of that is known. */
  readonly timeRatio: number | null;
  /** How many documents would fail each gate. */
  readonly failedGates: Readonly<Record<string, number>>;
  /** How many would fail any. */
  readonly failing: number;
}

/** Adds up what was compared. */
export function trialTotals(compared: readonly ComparedDocument[]): TrialTotals {
  const sum = (of: (one: ComparedDocument) => number) => compared.reduce((total, one) => total + of(one), 0);
  const pagesBefore = sum((one) => one.pagesBefore);
  const pagesAfter = sum((one) => one.pagesAfter);
  const timed = compared.filter(({ secondsBefore }) => secondsBefore !== null && secondsBefore > 0);
  const before = timed.reduce((total, { secondsBefore }) => total + (secondsBefore ?? 0), 0);
  const failedGates: Record<string, number> = {};
  for (const { failedGates: codes } of compared) {
    for (const code of new Set(codes)) failedGates[code] = (failedGates[code] ?? 0) + 1;
  }
  return {
    documents: compared.length,
    pagesBefore,
    pagesAfter,
    charactersBefore: sum((one) => one.charactersBefore),
    characterEdits: sum((one) => one.characterEdits),
    wordsBefore: sum((one) => one.wordsBefore),
    wordsAfter: sum((one) => one.wordsAfter),
    wordsKept: sum((one) => one.wordsKept),
    fieldsBefore: sum((one) => one.fieldsBefore),
    fieldsAfter: sum((one) => one.fieldsAfter),
    fieldsKept: sum((one) => one.fieldsKept),
    confidenceBefore: sum((one) => one.confidenceBefore * one.pagesBefore) / (pagesBefore || 1),
    confidenceAfter: sum((one) => one.confidenceAfter * one.pagesAfter) / (pagesAfter || 1),
    timeRatio:
      before > 0 ? timed.reduce((total, { secondsAfter }) => total + secondsAfter, 0) / before : null,
    failedGates,
    failing: compared.filter((one) => one.failedGates.length > 0).length,
  };
}

/** The share of characters that differ, 0 and more; of a reading where there was none before, 1. */
export function textDiffers({
  charactersBefore,
  characterEdits,
}: Pick<Comparison, 'charactersBefore' | 'characterEdits'>): number {
  if (characterEdits === 0) return 0;
  return charactersBefore === 0 ? 1 : characterEdits / charactersBefore;
}
