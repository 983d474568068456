import type { Place } from '../sealing/place.ts';

/** One place where the bytes of a document may lie, as a delivery names it. */
export interface Candidate extends Place {
  readonly deliveryId: string;
  /** What the sender states; checked while reading. */
  readonly sizeBytes: number;
  /** Kind of document, as the sender states it. */
  readonly documentKind: string;
  /** Whether the delivery brought a signature envelope. */
  readonly hasEnvelope: boolean;
}

/**
 * One attempt at one task of one job, opened in the database before any work is done, so that a crash counts. Every write
 * names it by number and token, and is refused once the attempt was given to somebody else.
 */
export interface Attempt {
  readonly jobId: string;
  readonly attempt: number;
  readonly token: string;
  /** What the bytes must hash to. */
  readonly sha256: Buffer;
  /** Where to look, in this order; once the evidence is fixed, its place alone. */
  readonly candidates: readonly Candidate[];
  /** The OCR configuration by which it is to be read, by its number; undefined where the task is not recognition. */
  readonly ocrVersion?: number | undefined;
  /** Whole milliseconds left, with a margin, until the database counts the attempt as lost. */
  remainingMs(): number;
}

/** Counts down the time that the database gave an attempt, from before it was asked. */
export function countDown(seconds: number, askedMs: number): () => number {
  const budgetMs = seconds * 1000;
  const marginMs = Math.min(2_000, budgetMs / 10);
  return () => Math.max(0, Math.floor(askedMs + budgetMs - marginMs - performance.now()));
}
