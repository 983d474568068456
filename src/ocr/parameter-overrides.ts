import { z } from 'zod';
import { DocketError } from '../errors.ts';

/*
 * What an OCR configuration may set. The bounds keep a machine from harm, and arithmetic from nonsense; whether pages are read
 * well within them is what trials are for.
 */

function between(least: number, most: number) {
  const expected = `expected a number from ${least} to ${most}`;
  return z.number({ error: expected }).min(least, expected).max(most, expected);
}

function whole(least: number, most: number) {
  const expected = `expected a whole number from ${least} to ${most}`;
  return z.number({ error: expected }).int(expected).min(least, expected).max(most, expected);
}

function oneOf<const Values extends readonly string[]>(...values: Values) {
  return z.enum(values, { error: `expected one of ${values.map((value) => `"${value}"`).join(', ')}` });
}

/** Two numbers, the first of which is the smaller one. */
function span(least: number, most: number) {
  const expected = `expected two numbers from ${least} to ${most}, the smaller one first`;
  return z
    .tuple([z.number().min(least).max(most), z.number().min(least).max(most)], { error: expected })
    .refine(([first, second]) => first < second, expected);
}

function characters(most: number) {
  const expected = `expected text of at most ${most} characters`;
  return z.string({ error: expected }).max(most, expected);
}

/** A group: each of its parameters may be left out. */
function group<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, { error: describeGroup }).partial().optional();
}

function describeGroup({ code }: z.core.$ZodRawIssue): string | undefined {
  return code === 'invalid_type' ? 'expected an object of parameters' : undefined;
}

const OVERRIDES = z.strictObject(
  {
    /** Folders of @tesseract.js-data/eng. */
    model: oneOf('4.0.0_best_int', '4.0.0').optional(),
    /** Of Tesseract's own variables those that decide how a page is read, and none that names a file. */
    tesseract: group({
      tessedit_pageseg_mode: oneOf('3', '4', '5', '6', '11'),
      tessedit_char_whitelist: characters(500),
      tessedit_char_blacklist: characters(500),
      thresholding_method: oneOf('0', '1', '2'),
      tessedit_do_invert: oneOf('0', '1'),
      textord_heavy_nr: oneOf('0', '1'),
      preserve_interword_spaces: oneOf('0', '1'),
    }),
    preparation: group({
      targetDpi: between(20, 600),
      reduceAboveDpi: between(20, 1200),
      enlargeBelowDpi: between(1, 600),
      enlargedDpi: between(20, 600),
      enlargeAtMost: between(1, 6),
      longestSide: whole(200, 8000),
      shortestSide: whole(1, 200),
      believableDpi: span(1, 10_000),
      believableSheet: span(0.1, 200),
      assumedSheet: between(1, 100),
      backgroundBlock: whole(4, 128),
      backgroundQuantile: between(0.01, 0.99),
      skewRange: between(0, 20),
      skewCopySide: whole(200, 3000),
      skewLeast: between(0.02, 20),
      skewGain: between(1, 10),
      blankInk: between(0, 0.1),
      darkBelow: between(0, 255),
      inkShare: between(0.05, 1),
      inkWindow: whole(3, 255),
    }),
    orientation: group({
      sureConfidence: between(0, 100),
      sureShare: between(0, 1),
      trialConfidence: between(0, 100),
      trialDpi: between(40, 300),
      trialEnlargeAtMost: between(1, 4),
      shapeLetters: whole(1, 20),
      gain: between(1, 10),
    }),
    secondReading: group({
      belowConfidence: between(0, 100),
      leastCharacters: whole(1, 50),
      inkBelow: between(1, 255),
      scales: z.array(between(0.25, 4), { error: 'expected a list of numbers' }).min(1).max(8),
      mostWords: whole(0, 200),
      margin: between(0, 0.5),
      mostEdits: whole(0, 10),
      leastConfidence: between(0, 800),
      pageSegmentation: oneOf('6', '7', '8', '13'),
    }),
    rasterisation: group({
      vectorDpi: between(30, 600),
      longestSide: whole(200, 8000),
      scanCoverage: between(0.05, 1),
      scanPart: between(0, 1),
    }),
    /** Of the engine that recognises nothing (see null-engine.ts); no other engine reads by them. */
    null: group({
      confidence: between(0, 100),
      fails: z.string().regex(/^[A-Z][A-Z_]{2,62}$/, 'expected a failure code'),
    }),
  },
  { error: describeGroup },
);

/** Parameters that differ from the built-in ones, in the groups of parameters.ts; what is not named is as built in. */
export type Overrides = z.infer<typeof OVERRIDES>;

/**
 * Reads the parameters of an OCR configuration from JSON. Throws OCR_PARAMETERS_INVALID, which names every parameter at fault
 * with the value given and what is expected instead; `data.problems` holds the same as a list.
 */
export function parseOverrides(json: unknown): Overrides {
  const parsed = OVERRIDES.safeParse(json);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap((issue) => describeIssue(issue, json));
  throw new DocketError('OCR_PARAMETERS_INVALID', `the parameters are not valid: ${problems.join('; ')}`, {
    hint: 'see docs/ocr-configurations.md for the parameters and their bounds',
    data: { problems },
  });
}

function describeIssue(issue: z.core.$ZodIssue, json: unknown): string[] {
  if (issue.code === 'unrecognized_keys') {
    const what = issue.path.length === 0 ? 'group' : 'parameter';
    return issue.keys.map((key) => `${[...issue.path, key].join('.')}: there is no such ${what}`);
  }
  const received = issue.path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    json,
  );
  const name = issue.path.length === 0 ? 'parameters' : issue.path.join('.');
  return [
    `${name}: ${issue.message}, received ${received === undefined ? 'nothing' : JSON.stringify(received)}`,
  ];
}
