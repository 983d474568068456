import { PREPARATION } from './parameters-in-force.ts';
import type { PageImage } from './page-image.ts';

/** Pixels per inch along each axis of a page. */
export interface Resolution {
  readonly x: number;
  readonly y: number;
}

/**
 * The resolution to work with: the stated one if it is believable and makes a sheet of a believable size, else the one
 * that makes the page A4 (screens state 72 or 96, and some writers mistake centimetres for inches).
 */
export function believableResolution({ width, height, resolution }: PageImage): Resolution {
  if (resolution !== undefined) {
    const [least, most] = PREPARATION.believableDpi;
    const [shortest, longest] = PREPARATION.believableSheet;
    const sheet = Math.max(width / resolution.x, height / resolution.y);
    const believable = [resolution.x, resolution.y].every((dpi) => dpi >= least && dpi <= most);
    if (believable && sheet >= shortest && sheet <= longest) return resolution;
  }
  const assumed = Math.max(width, height) / PREPARATION.assumedSheet;
  return { x: assumed, y: assumed };
}

/** The size at which to decode the page, and the square resolution that it then has. Never larger than the original. */
export function decodedSize(page: PageImage): { width: number; height: number; dpi: number } {
  const stated = believableResolution(page);
  const finest = Math.max(stated.x, stated.y);
  let dpi = finest > PREPARATION.reduceAboveDpi ? PREPARATION.targetDpi : finest;
  const longest = Math.max((page.width / stated.x) * dpi, (page.height / stated.y) * dpi);
  if (longest > PREPARATION.longestSide) dpi *= PREPARATION.longestSide / longest;
  return {
    width: Math.max(1, Math.round((page.width / stated.x) * dpi)),
    height: Math.max(1, Math.round((page.height / stated.y) * dpi)),
    dpi,
  };
}

/** By how much a page of this resolution and size is enlarged before it is read. */
export function enlargement(dpi: number, width: number, height: number): number {
  if (dpi >= PREPARATION.enlargeBelowDpi) return 1;
  const wanted = Math.min(PREPARATION.enlargeAtMost, PREPARATION.enlargedDpi / dpi);
  return Math.max(1, Math.min(wanted, PREPARATION.longestSide / Math.max(width, height)));
}
