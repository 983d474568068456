import type { Knee } from './knee.ts';
import type { LevelMeasure } from './level.ts';
import { pagesPerSecond } from './level.ts';
import { percentile } from './percentile.ts';

/** What a load test proposes to set. */
export interface Proposal {
  /** Of pool ocr, of each process. */
  readonly slots: number;
  /** Of a lane, over all hosts: what Docket keeps by itself with so many slots, for whoever sets it. */
  readonly window: number;
  /** Limits of all sources together. */
  readonly pagesPerMinute: number;
  readonly pagesBurst: number;
  /** Age, accepted to published, that is to be expected of nearly all documents that the limits let in, and that as a round number. */
  readonly expectedAgeSeconds: number;
  readonly sloSeconds: number;
}

/** Share of what was measured that is let in for good: what is measured on a quiet host, a busy one does not hold. */
const SHARE = 0.8;
/** How long what comes at once after a rest may keep all slots busy. */
const BURST_SECONDS = 30;
/** Documents of a lane under way for each slot: one at work and one ready, as during the test. */
const UNDER_WAY_PER_SLOT = 2;

/** Round numbers of seconds, as people write them into an agreement. */
const ROUND = [1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 450, 600, 900, 1200, 1800, 2700, 3600];

/**
 * Limits and an age for so many hosts like the one that was measured at its knee. Work that is let in by a bucket of so many pages
 * (σ) at a rate below R, and done at rate R after a delay T, waits T + σ / R at most (Le Boudec, Thiran: Network Calculus, 2001,
 * theorem 1.4.2): R is what the knee gave, T the 95th percentile of the ages there. Both were measured and not proven, so the age
 * is one to be expected, not to be promised.
 */
export function propose(level: LevelMeasure, hosts: number): Proposal {
  const rate = pagesPerSecond(level) * hosts;
  const largest = Math.max(...level.documents.map((one) => one.pages));
  const pagesBurst = Math.max(Math.ceil(rate * BURST_SECONDS), largest);
  const delay = percentile(
    level.documents.map((one) => one.ageSeconds),
    95,
  );
  const expectedAgeSeconds = delay + pagesBurst / rate;
  return {
    slots: level.slots,
    window: UNDER_WAY_PER_SLOT * level.slots * hosts,
    pagesPerMinute: Math.max(1, Math.floor(rate * 60 * SHARE)),
    pagesBurst,
    expectedAgeSeconds,
    sloSeconds:
      ROUND.find((seconds) => seconds >= expectedAgeSeconds) ?? Math.ceil(expectedAgeSeconds / 3600) * 3600,
  };
}

/** The level of the knee. */
export function levelOf(levels: readonly LevelMeasure[], knee: Knee): LevelMeasure | undefined {
  return levels.find(({ slots }) => slots === knee.slots);
}
