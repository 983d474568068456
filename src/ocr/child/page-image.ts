import type { GreyImage } from './grey-image.ts';

/** One page, decoded when asked for. Width, height and resolution are those of the upright page image as delivered. */
export interface PageImage {
  readonly pageNo: number;
  readonly width: number;
  readonly height: number;
  /** Pixels per inch; they differ along the axes for faxes. Undefined where the file does not say. */
  readonly resolution: { readonly x: number; readonly y: number } | undefined;
  /** Black and white only: there is no paper whose brightness could vary. */
  readonly bilevel: boolean;
  /** The page in grey, stretched to the given size. Throws DocketError where the pixels cannot be decoded. */
  grey(width: number, height: number): Promise<GreyImage>;
}

/** A document as a sequence of pages. */
export interface PageSource {
  /** Pages the file says it has. */
  readonly declared: number;
  /** What makes the whole document's pixels doubtful. */
  readonly warnings: readonly string[];
  /**
   * The page, or undefined where the file has none at this place after all (a page count that lies). `warnings` takes
   * what makes this page's pixels doubtful.
   */
  page(pageNo: number, warnings: string[]): Promise<PageImage | undefined>;
  close(): Promise<void>;
}
