import { Sheet } from '../sheet.ts';

/** The empty back of a sheet, as a duplex scanner delivers it. */
export function blankBack(dpi: number): Sheet {
  return new Sheet({ widthMm: 210, heightMm: 297, dpi });
}
