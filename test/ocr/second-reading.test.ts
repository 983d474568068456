import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GreyImage } from '../../src/ocr/child/grey-image.ts';
import type { Recogniser } from '../../src/ocr/child/recogniser.ts';
import { readDoubledAgain } from '../../src/ocr/child/second-reading.ts';
import type { ReadLine } from '../../src/ocr/child/tsv.ts';

/** Eleven bars, the glyphs of a container number, in a picture of 200 dpi. */
const GLYPHS = 11;
const picture: GreyImage = { data: new Uint8Array(240 * 40).fill(255), width: 240, height: 40 };
for (let glyph = 0; glyph < GLYPHS; glyph += 1) {
  for (let y = 10; y < 30; y += 1) picture.data.fill(0, y * 240 + 10 + glyph * 20, y * 240 + 22 + glyph * 20);
}
const BOX = { x0: 10, y0: 10, x1: 222, y1: 30 };

const lineOf = (text: string, confidence: number): ReadLine[] => [
  { paragraph: '1', words: [{ text, confidence, box: BOX }] },
];

/** A recogniser that answers these readings of single words in turn, and keeps count. */
function answering(...readings: [text: string, confidence: number][]): Recogniser & { asked: number } {
  return {
    asked: 0,
    version: () => Promise.resolve('test'),
    read: () => Promise.reject(new Error('the page is not read again')),
    readLine() {
      const [text, confidence] = readings[this.asked % readings.length] ?? ['', 0];
      this.asked += 1;
      return Promise.resolve([{ text, confidence, box: BOX }]);
    },
  };
}

const textAfter = async (lines: ReadLine[], recogniser: Recogniser): Promise<string | undefined> =>
  (await readDoubledAgain(lines, picture, 200, recogniser))[0]?.words[0]?.text;

test('a doubtful word with more characters than glyphs becomes the reading that most confidence fits', async () => {
  const recogniser = answering(
    ['00LU3602037', 40],
    ['OOLU3602037', 43],
    ['O0OLU3602037', 90],
    ['OOLU3602037', 61],
  );
  assert.equal(await textAfter(lineOf('O0OLU3602037', 27), recogniser), 'OOLU3602037');
  assert.equal(recogniser.asked, 4);
});

const KEPT: readonly [why: string, lines: ReadLine[], readings: [string, number][], asked: number][] = [
  ['it is read with confidence', lineOf('O0OLU3602037', 90), [['OOLU3602037', 90]], 0],
  ['it has as many characters as glyphs', lineOf('TGHU6247794', 30), [['TGHUG247794', 90]], 0],
  ['no reading is confident', lineOf('O0OLU3602037', 27), [['OOLU3602037', 10]], 4],
  ['the readings are of something else', lineOf('O0OLU3602037', 27), [['signature', 90]], 4],
];

for (const [why, lines, readings, asked] of KEPT) {
  test(`a word stays as it is when ${why}`, async () => {
    const recogniser = answering(...readings);
    assert.equal(await textAfter(lines, recogniser), lines[0]?.words[0]?.text);
    assert.equal(recogniser.asked, asked);
  });
}

test('a page of rubbish is not read word by word', async () => {
  const lines = Array.from({ length: 100 }, () => lineOf('O0OLU3602037', 5)).flat();
  const recogniser = answering(['O0OLU3602037', 5]);
  await readDoubledAgain(lines, picture, 200, recogniser);
  assert.ok(recogniser.asked <= 80, `asked ${String(recogniser.asked)} times`);
});
