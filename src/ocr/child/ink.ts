import { PREPARATION } from './parameters-in-force.ts';
import type { GreyImage } from './grey-image.ts';

/** Marks the pixels that are clearly darker than the mean of their surroundings: 1 for ink, 0 for paper. */
export function markInk({ data, width, height }: GreyImage): Uint8Array {
  const reach = PREPARATION.inkWindow >> 1;
  const sums = integral(data, width, height);
  const stride = width + 1;
  const ink = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const top = Math.max(0, y - reach);
    const bottom = Math.min(height, y + reach + 1);
    for (let x = 0; x < width; x += 1) {
      const left = Math.max(0, x - reach);
      const right = Math.min(width, x + reach + 1);
      const sum =
        sums[bottom * stride + right]! -
        sums[top * stride + right]! -
        sums[bottom * stride + left]! +
        sums[top * stride + left]!;
      const mean = sum / ((right - left) * (bottom - top));
      if (data[y * width + x]! < mean * PREPARATION.inkShare) ink[y * width + x] = 1;
    }
  }
  return ink;
}

/** Sums of all pixels above and to the left; one row and column wider than the image. */
function integral(data: Uint8Array, width: number, height: number): Float64Array {
  const stride = width + 1;
  const sums = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      row += data[y * width + x]!;
      sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1]! + row;
    }
  }
  return sums;
}

/** The share of the marks that are ink, 0..1. */
export function inkShare(ink: Uint8Array): number {
  let count = 0;
  for (const mark of ink) count += mark;
  return ink.length === 0 ? 0 : count / ink.length;
}
