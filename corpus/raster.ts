/** A point in pixels, x to the right and y down. */
export type Point = readonly [x: number, y: number];
/** Red, green and blue, 0 to 255. */
export type Ink = readonly [red: number, green: number, blue: number];

export const BLACK: Ink = [18, 18, 22];

/**
 * A page image of one (grey) or three (RGB) channels. Filling uses additions, multiplications and divisions of doubles
 * only, which every machine rounds alike; a system's text renderer would not give the same bytes everywhere.
 */
export class Raster {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly data: Uint8Array;

  constructor(width: number, height: number, channels: 1 | 3, fill: number | Uint8Array = 255) {
    this.width = width;
    this.height = height;
    this.channels = channels;
    this.data = fill instanceof Uint8Array ? fill : new Uint8Array(width * height * channels).fill(fill);
  }

  /** Fills closed outlines (non-zero winding, anti-aliased by exact coverage) with an ink of an opacity in 0..1. */
  fill(outlines: readonly (readonly Point[])[], ink: Ink = BLACK, opacity = 1): void {
    const box = this.#bounds(outlines);
    if (!box) return;
    const [left, top, width, height] = box;
    const cover = new Float64Array((width + 2) * height);
    for (const outline of outlines) {
      for (let i = 0; i < outline.length; i++) {
        const from = outline[i]!;
        const to = outline[(i + 1) % outline.length]!;
        accumulate(cover, width + 2, height, from[0] - left, from[1] - top, to[0] - left, to[1] - top);
      }
    }
    for (let y = 0; y < height; y++) {
      let sum = 0;
      for (let x = 0; x < width; x++) {
        sum += cover[y * (width + 2) + x]!;
        const alpha = Math.min(1, Math.abs(sum)) * opacity;
        if (alpha > 0.002) this.#blend(left + x, top + y, ink, alpha);
      }
    }
  }

  /** The smallest rectangle of whole pixels around the outlines, cut to the page; undefined when it is empty. */
  #bounds(outlines: readonly (readonly Point[])[]): [number, number, number, number] | undefined {
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const outline of outlines) {
      for (const [x, y] of outline) {
        x0 = Math.min(x0, x);
        y0 = Math.min(y0, y);
        x1 = Math.max(x1, x);
        y1 = Math.max(y1, y);
      }
    }
    const left = Math.floor(x0);
    const top = Math.max(0, Math.floor(y0));
    const width = Math.ceil(x1) - left + 1;
    const height = Math.min(this.height, Math.ceil(y1) + 1) - top;
    return width > 0 && height > 0 && Number.isFinite(width) ? [left, top, width, height] : undefined;
  }

  #blend(x: number, y: number, ink: Ink, alpha: number): void {
    if (x < 0 || x >= this.width || y < 0 || y >= this.height) return;
    const at = (y * this.width + x) * this.channels;
    if (this.channels === 1) {
      const grey = 0.299 * ink[0] + 0.587 * ink[1] + 0.114 * ink[2];
      this.data[at] = Math.round(this.data[at]! * (1 - alpha) + grey * alpha);
      return;
    }
    for (let channel = 0; channel < 3; channel++) {
      this.data[at + channel] = Math.round(this.data[at + channel]! * (1 - alpha) + ink[channel]! * alpha);
    }
  }
}

/** Adds one edge's signed area to the accumulation buffer; a running sum over a row then gives the coverage. */
function accumulate(
  cover: Float64Array,
  stride: number,
  rows: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): void {
  if (y0 === y1) return;
  const sign = y0 < y1 ? 1 : -1;
  const [topX, topY, bottomX, bottomY] = y0 < y1 ? [x0, y0, x1, y1] : [x1, y1, x0, y0];
  const slope = (bottomX - topX) / (bottomY - topY);
  for (let row = Math.max(0, Math.floor(topY)); row < Math.min(rows, Math.ceil(bottomY)); row++) {
    const from = Math.max(topY, row);
    const to = Math.min(bottomY, row + 1);
    const dy = to - from;
    const xa = topX + (from - topY) * slope;
    const xb = topX + (to - topY) * slope;
    const [left, right] = xa < xb ? [xa, xb] : [xb, xa];
    const first = Math.floor(left);
    const last = Math.max(first + 1, Math.ceil(right));
    const base = row * stride;
    let covered = 0;
    for (let column = first; column < last; column++) {
      // How much of this edge's height lies left of the column's right border, and where in the column it passes.
      const total = areaRightOf(left, right, column) * dy;
      cover[base + column] = cover[base + column]! + sign * (total - covered);
      covered = total;
    }
    cover[base + last] = cover[base + last]! + sign * (dy - covered);
  }
}

/** Mean, over an edge going evenly from x = left to right, of the part of pixel `column` that is right of the edge. */
function areaRightOf(left: number, right: number, column: number): number {
  const a = left - column;
  const b = right - column;
  if (b <= 1 && a >= 0) return 1 - (a + b) / 2;
  const span = b - a;
  const from = Math.max(a, 0);
  const to = Math.min(b, 1);
  const before = Math.max(0, Math.min(b, 0) - a);
  const inside = to > from ? (to - from) * (1 - (from + to) / 2) : 0;
  return (before + inside) / span;
}
