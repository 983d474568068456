/** What the parent asks of the drawing child: one page as a JPEG in grey, its longest side so many pixels at most. */
export interface PictureOrder {
  readonly file: string;
  readonly pageNo: number;
  readonly longestSide: number;
  readonly maxPages: number;
  readonly maxPixels: number;
}

/** What it answers: the picture, or why there is none. */
export type PictureAnswer = { readonly jpeg: Uint8Array } | { readonly problem: string };
