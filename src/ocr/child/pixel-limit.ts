import { DocketError } from '../../errors.ts';

/** Refuses a page that would be too large once decoded. Throws TOO_MANY_PIXELS. */
export function checkPixels({ width, height }: { width: number; height: number }, maxPixels: number): void {
  if (width * height <= maxPixels) return;
  throw new DocketError('TOO_MANY_PIXELS', `a page of ${width} × ${height} pixels is more than the limit`, {
    hint: `deliver at most ${maxPixels} pixels a page`,
    data: { width, height, limit: maxPixels },
  });
}
