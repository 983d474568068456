import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DocketError } from '../../src/errors.ts';
import { effectiveParameters } from '../../src/ocr/effective-parameters.ts';
import { parseOverrides } from '../../src/ocr/parameter-overrides.ts';
import * as parameters from '../../src/ocr/parameters.ts';

const BUILT_IN = {
  model: parameters.MODEL,
  tesseract: parameters.TESSERACT,
  preparation: parameters.PREPARATION,
  orientation: parameters.ORIENTATION,
  secondReading: parameters.SECOND_READING,
  rasterisation: parameters.RASTERISATION,
};

function problemsOf(json: unknown): unknown {
  try {
    parseOverrides(json);
  } catch (error) {
    assert.ok(error instanceof DocketError && error.code === 'OCR_PARAMETERS_INVALID');
    return error.data['problems'];
  }
  return [];
}

test('every built-in parameter may be set, and what is built in is within its own bounds', () => {
  const json = JSON.parse(JSON.stringify(BUILT_IN)) as unknown;
  assert.deepEqual(parseOverrides(json), json);
});

test('a parameter that is set takes the place of the built-in one, and leaves the others alone', () => {
  const effective = effectiveParameters(
    parseOverrides({
      model: '4.0.0',
      preparation: { targetDpi: 150, believableDpi: [50, 900] },
      tesseract: { tessedit_char_whitelist: 'ABC0123' },
    }),
  );
  assert.deepEqual(effective, {
    ...BUILT_IN,
    model: '4.0.0',
    preparation: { ...parameters.PREPARATION, targetDpi: 150, believableDpi: [50, 900] },
    tesseract: { tessedit_pageseg_mode: '3', tessedit_char_whitelist: 'ABC0123' },
  });
  assert.deepEqual(effectiveParameters({}), BUILT_IN);
});

const REFUSED: readonly [what: string, json: unknown, problems: string[]][] = [
  [
    'a number below its bounds',
    { preparation: { targetDpi: 5 } },
    ['preparation.targetDpi: expected a number from 20 to 600, received 5'],
  ],
  [
    'a number that is text',
    { orientation: { gain: '2' } },
    ['orientation.gain: expected a number from 1 to 10, received "2"'],
  ],
  [
    'half a pixel',
    { preparation: { inkWindow: 31.5 } },
    ['preparation.inkWindow: expected a whole number from 3 to 255, received 31.5'],
  ],
  [
    'a span that is upside down',
    { preparation: { believableDpi: [1300, 70] } },
    [
      'preparation.believableDpi: expected two numbers from 1 to 10000, the smaller one first, received [1300,70]',
    ],
  ],
  [
    'a scale out of bounds, by its place',
    { secondReading: { scales: [1, 9] } },
    ['secondReading.scales.1: expected a number from 0.25 to 4, received 9'],
  ],
  ['another model', { model: 'fast' }, ['model: expected one of "4.0.0_best_int", "4.0.0", received "fast"']],
  [
    'a variable of Tesseract that writes files',
    { tesseract: { debug_file: '/tmp/x' } },
    ['tesseract.debug_file: there is no such parameter'],
  ],
  [
    'several at once, each by its name',
    { preparations: {}, rasterisation: { vectorDpi: 10_000, dpi: 3 } },
    [
      'preparations: there is no such group',
      'rasterisation.vectorDpi: expected a number from 30 to 600, received 10000',
      'rasterisation.dpi: there is no such parameter',
    ],
  ],
  ['a group that is none', { preparation: 3 }, ['preparation: expected an object of parameters, received 3']],
  ['what is no object', [], ['parameters: expected an object of parameters, received []']],
];

for (const [what, json, problems] of REFUSED) {
  test(`${what} is refused with what is expected instead`, () => {
    assert.deepEqual((problemsOf(json) as string[]).toSorted(), problems.toSorted());
  });
}
