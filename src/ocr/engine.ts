import type { OcrSetup } from './setup.ts';

/**
 * A recognised word: text, confidence (0..100), and its box x0, y0, x1, y1 in whole pixels on the page image as
 * delivered, that is as a viewer shows it: after EXIF or TIFF orientation or /Rotate, before the engine's own turn.
 */
export type RecognisedWord = [
  text: string,
  confidence: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
];

/**
 * `blank`: no ink worth reading. `no_text`: ink, but nothing that reads as a word. Neither is a failure, and neither is
 * ever the outcome of a page that could not be decoded.
 */
export type PageVerdict = 'text' | 'blank' | 'no_text';

export interface RecognisedPage {
  readonly pageNo: number;
  /** Pixels of the page image that the word boxes refer to. */
  readonly width: number;
  readonly height: number;
  /** Pixels per inch of that image along x, as stated by the file or, where that is not believable, as estimated. */
  readonly dpi: number;
  /** The clockwise turn that made the page upright. */
  readonly rotation: 0 | 90 | 180 | 270;
  /** The clockwise turn, in degrees, that made its lines level after that. */
  readonly angle: number;
  readonly verdict: PageVerdict;
  /** Mean over the words, 0..100; 0 if there are none. */
  readonly confidence: number;
  readonly text: string;
  readonly words: RecognisedWord[];
}

export interface Recognition {
  /** Pages the file says it has (a PDF's page count, a TIFF's directories). */
  readonly pagesDeclared: number;
  /** Pages whose pixels were read; where it is less than declared, the document must not be accepted. */
  readonly pagesDecoded: number;
  /** What makes the pixels doubtful: a decoder's complaint, a repaired file. Empty for a sound file. */
  readonly warnings: string[];
  readonly pages: RecognisedPage[];
}

/** What produced a recognition: enough to tell two engines' results apart and to run the same one again. JSON-able. */
export interface OcrConfiguration {
  readonly engine: string;
  readonly [key: string]: unknown;
}

/** How a document is to be read. */
export interface RecogniseOptions {
  readonly signal: AbortSignal;
  /** In milliseconds from now. */
  readonly deadline: number;
  /** The built-in one unless stated. */
  readonly setup?: OcrSetup;
  /** Told of each page as it is read; an engine that has all of them at once tells nothing. */
  readonly onPage?: (page: RecognisedPage) => void;
}

export interface OcrEngine {
  /**
   * What it reads with under this setup; the built-in one unless stated. Another setup makes another configuration. Throws
   * OCR_UNAVAILABLE if the engine does not start, or is not one that may read by the setup.
   */
  configuration(setup?: OcrSetup): Promise<OcrConfiguration>;
  /**
   * Reads every page of `file` (a path; its name is not looked at). Throws DocketError with a failure code (TRUNCATED,
   * ENCRYPTED, OCR_TIMEOUT, …), or the signal's reason when aborted.
   */
  recognise(file: string, options: RecogniseOptions): Promise<Recognition>;
  close(): Promise<void>;
}
