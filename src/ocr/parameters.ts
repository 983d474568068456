/**
 * Every number that decides how a page is prepared and read, unless an OCR configuration says otherwise (see
 * parameter-overrides.ts). They are recorded with each result (see configuration.ts): change one and results of the old and
 * the new are told apart.
 */
export const PREPARATION = {
  /** Text of a scan is read best around this resolution; more only costs time. */
  targetDpi: 200,
  /** Above it a page is brought down to targetDpi. */
  reduceAboveDpi: 240,
  /** Below it a page is enlarged towards enlargedDpi, at most by enlargeAtMost. */
  enlargeBelowDpi: 180,
  enlargedDpi: 300,
  enlargeAtMost: 3,
  longestSide: 5000,
  /** A side shorter than this cannot hold a legible line. */
  shortestSide: 12,
  /** A stated resolution is believed within these bounds … */
  believableDpi: [70, 1300],
  /** … if it also makes a sheet whose long side, in inches, lies within these; else the sheet is taken to be A4. */
  believableSheet: [2.5, 24],
  assumedSheet: 11.7,
  /** The paper's brightness: this quantile of blocks of this many pixels, widened and smoothed. */
  backgroundBlock: 16,
  backgroundQuantile: 0.1,
  /** Skew is looked for within ± this many degrees, on a copy with this longest side. */
  skewRange: 7,
  skewCopySide: 1000,
  /** Smaller angles are left alone, and so are angles whose profile is not clearly sharper than that of 0°. */
  skewLeast: 0.15,
  skewGain: 1.05,
  /** A page is blank if less than this share of it is ink. */
  blankInk: 0.00002,
  /** … and if its mean brightness, of 255, is not below this. */
  darkBelow: 64,
  /** A pixel is ink if darker than this share of its surroundings … */
  inkShare: 0.88,
  /** … which reach this far, in pixels of the copy. */
  inkWindow: 31,
} as const;

export const ORIENTATION = {
  /** A word counts as read well from this confidence on. */
  sureConfidence: 80,
  /** With a smaller share of such words, the page is tried in all four orientations. */
  sureShare: 0.4,
  /** In a trial only words of this confidence count. */
  trialConfidence: 60,
  /** Resolution of those trials. */
  trialDpi: 120,
  trialEnlargeAtMost: 2,
  /** Words of at least this many letters and digits show by the shape of their box which way they run. */
  shapeLetters: 3,
  /** Another orientation must score this many times what the present one scores. */
  gain: 1.3,
} as const;

export const SECOND_READING = {
  /** Words below this confidence, of at least so many characters, are compared with the glyphs that are there … */
  belowConfidence: 75,
  leastCharacters: 3,
  /** … where a column of pixels belongs to a glyph if one of them is darker than this. */
  inkBelow: 140,
  /** … and, if they have more characters than glyphs, read again, alone, at these scales; at most so many a page. */
  scales: [0.75, 1, 1.5, 2],
  mostWords: 20,
  /** Margin around the word, in inches. */
  margin: 0.04,
  /** A reading must not differ by more edits, and its readings' confidences must add up to this much. */
  mostEdits: 2,
  leastConfidence: 60,
  pageSegmentation: '7',
} as const;

export const RASTERISATION = {
  /** Pages that are not one scanned image. */
  vectorDpi: 300,
  longestSide: 3600,
  /** Images that together cover this share of a page decide its resolution. */
  scanCoverage: 0.8,
  /** Images smaller than this share of the page do not. */
  scanPart: 0.05,
} as const;

/** Passed to Tesseract as they are. */
export const TESSERACT = {
  tessedit_pageseg_mode: '3',
} as const;

/** The language model that is read with, by the name of its folder in @tesseract.js-data/eng. */
export const MODEL = '4.0.0_best_int';
