/** A level and what it gave. */
export interface CurvePoint {
  readonly slots: number;
  readonly pagesPerSecond: number;
}

export interface Knee {
  readonly slots: number;
  /** How far the curve lies above the straight line from no slots to the last level there, as a share of its height. */
  readonly height: number;
  /** False where the curve is a straight line as far as it was measured: more slots may give more. */
  readonly isClear: boolean;
}

/** A curve that bends less than this is taken for a straight line: so much two measurements of the same differ. */
const LEAST_HEIGHT = 0.1;

/**
 * The number of slots from which further ones give little: where the difference curve of Kneedle is highest (Satopaa, Albrecht,
 * Irwin, Raghavan: Finding a "Kneedle" in a Haystack, ICDCS workshops 2011). Slots and pages a second are both brought to the
 * range 0 to 1, and the difference is y - x. No slots give no pages: that point belongs to the curve. Of equal heights the one with
 * fewer slots counts. Where the curve hardly bends, it is the last level. Undefined for a curve on which nothing was published.
 */
export function findKnee(points: readonly CurvePoint[]): Knee | undefined {
  const curve = points.toSorted((one, other) => one.slots - other.slots);
  const widest = curve.at(-1)?.slots ?? 0;
  const highest = Math.max(0, ...curve.map((point) => point.pagesPerSecond));
  if (widest === 0 || highest === 0) return undefined;
  const heights = curve.map(({ slots, pagesPerSecond }) => ({
    slots,
    height: pagesPerSecond / highest - slots / widest,
  }));
  const [first, ...others] = heights;
  if (first === undefined) return undefined;
  const best = others.reduce((found, one) => (one.height > found.height ? one : found), first);
  if (best.height < LEAST_HEIGHT) return { slots: widest, height: Math.max(0, best.height), isClear: false };
  return { ...best, isClear: true };
}
