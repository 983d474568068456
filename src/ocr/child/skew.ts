import { PREPARATION } from './parameters-in-force.ts';

const MOST_POINTS = 60_000;
const FEWEST_POINTS = 200;

/**
 * How far the lines of a page lean: degrees by which it must be turned clockwise to be level, 0 where there is too little
 * ink or no angle stands out. `ink` marks pixels as markInk does. The angle is the one whose projection onto the
 * vertical has the sharpest steps.
 */
export function findSkew(ink: Uint8Array, width: number, height: number): number {
  const { xs, ys } = pickPoints(ink, width, height);
  if (xs.length < FEWEST_POINTS) return 0;
  const score = (degrees: number): number => sharpness(xs, ys, width, height, degrees);
  const level = score(0);
  let best = { degrees: 0, score: level };
  const look = (from: number, to: number, step: number): void => {
    for (let degrees = from; degrees <= to + 1e-9; degrees += step) {
      const found = score(degrees);
      if (found > best.score) best = { degrees, score: found };
    }
  };
  look(-PREPARATION.skewRange, PREPARATION.skewRange, 0.5);
  look(best.degrees - 0.5, best.degrees + 0.5, 0.1);
  look(best.degrees - 0.1, best.degrees + 0.1, 0.02);
  const clear = best.score > level * PREPARATION.skewGain && Math.abs(best.degrees) >= PREPARATION.skewLeast;
  // A line that falls to the right by some degrees is levelled by turning the page back, anticlockwise.
  return clear ? -best.degrees : 0;
}

function pickPoints(ink: Uint8Array, width: number, height: number): { xs: Float64Array; ys: Float64Array } {
  let count = 0;
  for (const mark of ink) count += mark;
  const step = Math.max(1, Math.floor(count / MOST_POINTS));
  const xs = new Float64Array(Math.ceil(count / step));
  const ys = new Float64Array(xs.length);
  let seen = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (ink[y * width + x] !== 1) continue;
      if (seen % step === 0) {
        xs[seen / step] = x;
        ys[seen / step] = y;
      }
      seen += 1;
    }
  }
  return { xs, ys };
}

function sharpness(
  xs: Float64Array,
  ys: Float64Array,
  width: number,
  height: number,
  degrees: number,
): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const margin = Math.ceil(Math.abs(slope) * width) + 1;
  const profile = new Float64Array(height + 2 * margin + 2);
  for (let i = 0; i < xs.length; i += 1) profile[Math.round(ys[i]! - xs[i]! * slope) + margin]! += 1;
  let sum = 0;
  for (let i = 1; i < profile.length; i += 1) {
    const step = profile[i]! - profile[i - 1]!;
    sum += step * step;
  }
  return sum;
}
