import type { Random } from '../random.ts';
import type { Ink, Point } from '../raster.ts';
import type { Sheet } from '../sheet.ts';

const BLUE: Ink = [34, 58, 140];

/** A signature-like scribble of a width in mm, left end at (x, y); it has no text. */
export function signature(sheet: Sheet, random: Random, x: number, y: number, width: number): void {
  const knots = 12;
  const points = Array.from({ length: knots }, (_, i): Point => [
    x + (width * i) / knots + (random.unit() - 0.5) * 4,
    y + (random.unit() - 0.5) * (i % 3 === 0 ? 15 : 7),
  ]);
  sheet.stroke(smooth(points), 1.5, BLUE, 0.9);
}

/** Two rings and a bar as a rubber stamp leaves them, translucent over what is below. */
export function roundStamp(sheet: Sheet, x: number, y: number, radius: number, ink: Ink): void {
  for (const [share, thickness] of [
    [1, 1.8],
    [0.72, 1],
  ] as const) {
    sheet.stroke(circle(x, y, radius * share), thickness, ink, 0.6);
  }
  sheet.stroke(
    [
      [x - radius * 0.6, y + 1.5],
      [x + radius * 0.6, y - 1.5],
    ],
    3,
    ink,
    0.5,
  );
}

/** A circle made of 64 points found by turning a vector by a fixed rational rotation (3-4-5 would be too coarse). */
function circle(x: number, y: number, radius: number): Point[] {
  const half = 0.04912684976946725;
  const [cos, sin] = [(1 - half * half) / (1 + half * half), (2 * half) / (1 + half * half)];
  const points: Point[] = [];
  let [px, py] = [radius, 0];
  for (let i = 0; i <= 64; i++) {
    points.push([x + px, y + py]);
    [px, py] = [px * cos - py * sin, px * sin + py * cos];
  }
  return points;
}

/** Catmull-Rom through the knots, eight pieces between two. */
function smooth(knots: readonly Point[]): Point[] {
  const at = (i: number): Point => knots[Math.max(0, Math.min(knots.length - 1, i))]!;
  const points: Point[] = [];
  for (let i = 0; i + 1 < knots.length; i++) {
    for (let step = 0; step < 8; step++) {
      const t = step / 8;
      const weigh = (axis: 0 | 1): number => {
        const [a, b, c, d] = [at(i - 1)[axis], at(i)[axis], at(i + 1)[axis], at(i + 2)[axis]];
        return (
          0.5 *
          (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)
        );
      };
      points.push([weigh(0), weigh(1)]);
    }
  }
  return points;
}
