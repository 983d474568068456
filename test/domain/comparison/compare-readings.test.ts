import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareReadings, type ReadPage } from '../../../src/domain/comparison/compare-readings.ts';
import { comparisonJson } from '../../../src/domain/comparison/comparison-json.ts';
import { wordEdits } from '../../../src/domain/comparison/word-edits.ts';
import { distancesFrom } from '../../../src/domain/comparison/distances-from.ts';
import { editDistance } from '../../../src/domain/edit-distance.ts';
import { seeded } from '../../support/seeded.ts';

/** A page on which the words stand one below the other, each 100 × 20 pixels. */
function page(text: string, of: Partial<ReadPage> = {}): ReadPage {
  const words = text === '' ? [] : text.split(' ');
  return {
    pageNo: 1,
    width: 1000,
    height: 2000,
    verdict: words.length > 0 ? 'text' : 'blank',
    confidence: 90,
    words: words.map((word, i) => [word, 90, 0, i * 20, 100, i * 20 + 20]),
    ...of,
  };
}

test('a reading compared with itself keeps every word and has nothing that differs', async () => {
  const pages = [page('Gross weight 18,240 kg'), page('', { pageNo: 2, confidence: 0 })];
  assert.deepEqual(await compareReadings(pages, pages), {
    pagesBefore: 2,
    pagesAfter: 2,
    charactersBefore: 19,
    charactersAfter: 19,
    characterEdits: 0,
    wordsBefore: 4,
    wordsAfter: 4,
    wordsKept: 4,
    fieldsBefore: 1,
    fieldsAfter: 1,
    fieldsKept: 1,
    confidenceBefore: 90,
    confidenceAfter: 90,
    pages: [
      {
        page: 1,
        width: 1000,
        height: 2000,
        charactersBefore: 19,
        charactersAfter: 19,
        characterEdits: 0,
        wordsBefore: 4,
        wordsAfter: 4,
        wordsKept: 4,
        fieldsBefore: 1,
        fieldsAfter: 1,
        fieldsKept: 1,
        confidenceBefore: 90,
        confidenceAfter: 90,
        differs: [],
      },
      {
        page: 2,
        width: 1000,
        height: 2000,
        charactersBefore: 0,
        charactersAfter: 0,
        characterEdits: 0,
        wordsBefore: 0,
        wordsAfter: 0,
        wordsKept: 0,
        fieldsBefore: 0,
        fieldsAfter: 0,
        fieldsKept: 0,
        confidenceBefore: 0,
        confidenceAfter: 0,
        differs: [],
      },
    ],
  });
});

test('the order of words does not count, and a wrong digit costs one character, one word and one field', async () => {
  const compared = await compareReadings(
    [page('MSKU7583219 gross 18,240')],
    [page('18,240 MSKU7583279 gross', { confidence: 70 })],
  );
  assert.equal(compared.characterEdits, 1);
  assert.deepEqual([compared.wordsBefore, compared.wordsAfter, compared.wordsKept], [3, 3, 2]);
  assert.deepEqual([compared.fieldsBefore, compared.fieldsAfter, compared.fieldsKept], [2, 2, 1]);
  assert.deepEqual([compared.confidenceBefore, compared.confidenceAfter], [90, 70]);
  assert.deepEqual(compared.pages[0]?.differs, [
    [0, 20, 100, 40],
    [0, 0, 100, 20],
  ]);
});

test('punctuation at the end of a number is a difference of words, and none of fields', async () => {
  const compared = await compareReadings([page('2026-04-21')], [page('2026–04–21,')]);
  assert.deepEqual([compared.wordsKept, compared.fieldsKept, compared.characterEdits], [0, 1, 3]);
});

test('a page that is not read any more counts as deleted, a new one as inserted', async () => {
  const [one, two] = [page('alpha 1234'), page('beta', { pageNo: 2 })];
  const fewer = await compareReadings([one, two], [one]);
  assert.deepEqual([fewer.pagesBefore, fewer.pagesAfter, fewer.characterEdits], [2, 1, 4]);
  assert.deepEqual(fewer.pages[1]?.differs, [[0, 0, 100, 20]]);
  const more = await compareReadings([one], [one, two]);
  assert.deepEqual([more.pagesBefore, more.pagesAfter, more.characterEdits], [1, 2, 4]);
});

test('words of another page do not make up for those that are missing', async () => {
  const before = [page('alpha'), page('beta', { pageNo: 2 })];
  const after = [page('beta'), page('alpha', { pageNo: 2 })];
  const compared = await compareReadings(before, after);
  assert.equal(compared.wordsKept, 0);
  // alpha becomes beta in 4 edits; beta has nothing in common with alpha that would save one of 4 deleted and 5 inserted
  assert.equal(compared.characterEdits, 4 + 4 + 5);
});

test('of a word that stands there more often, the one that is nowhere near is the one that differs', async () => {
  const twice = page('kg', {
    words: [
      ['kg', 90, 0, 0, 40, 20],
      ['kg', 90, 500, 900, 540, 920],
    ],
  });
  const once = page('kg', { words: [['kg', 90, 502, 900, 540, 920]] });
  assert.deepEqual((await compareReadings([twice], [once])).pages[0]?.differs, [[0, 0, 40, 20]]);
});

test('boxes of a page that was rendered at another size are given in pixels of the second one', async () => {
  const before = page('lost', { width: 500, height: 500, words: [['lost', 90, 50, 100, 60, 110]] });
  const after = page('', { width: 1000, height: 2000 });
  const [compared] = (await compareReadings([before], [after])).pages;
  assert.deepEqual([compared?.width, compared?.height], [1000, 2000]);
  assert.deepEqual(compared?.differs, [[100, 400, 120, 440]]);
});

test('what an engine gives as one word with a space in it is two', async () => {
  const joined = page('', { verdict: 'text', words: [[' gross  18,240 ', 90, 0, 0, 200, 20]] });
  const compared = await compareReadings([joined], [page('18,240 gross')]);
  assert.deepEqual([compared.wordsBefore, compared.wordsKept, compared.fieldsKept], [2, 2, 1]);
});

test('a page has no more than 200 boxes, a document no more than 5,000', async () => {
  const words = Array.from({ length: 300 }, (_, i) => `w${String(i)}`).join(' ');
  const pages = Array.from({ length: 30 }, (_, i) => page(words, { pageNo: i + 1 }));
  const compared = await compareReadings(pages, []);
  assert.equal(compared.pages[0]?.differs.length, 200);
  assert.equal(
    compared.pages.reduce((sum, { differs }) => sum + differs.length, 0),
    5_000,
  );
  assert.equal(compared.wordsBefore, 9_000);
});

test('as JSON a comparison has the names of the columns, and holds no text', async () => {
  const json = comparisonJson(await compareReadings([page('secret 4711')], [page('secret 4712')]));
  assert.doesNotMatch(json, /secret|4711|4712/);
  assert.deepEqual(JSON.parse(json), {
    pages_before: 1,
    pages_after: 1,
    characters_before: 10,
    characters_after: 10,
    character_edits: 1,
    words_before: 2,
    words_after: 2,
    words_kept: 1,
    fields_before: 1,
    fields_after: 1,
    fields_kept: 0,
    confidence_before: 90,
    confidence_after: 90,
    pages: [
      {
        page: 1,
        width: 1000,
        height: 2000,
        characters_before: 10,
        characters_after: 10,
        character_edits: 1,
        words_before: 2,
        words_after: 2,
        words_kept: 1,
        fields_before: 1,
        fields_after: 1,
        fields_kept: 0,
        confidence_before: 90,
        confidence_after: 90,
        differs: [
          [0, 20, 100, 40],
          [0, 20, 100, 40],
        ],
      },
    ],
  });
});

test('edits are those that a plain greedy search finds, whatever is left out of the search', () => {
  const random = seeded(4711);
  const letter = () => 'abcde0123'[Math.floor(random() * 9)] ?? '';
  const words = (count: number) =>
    Array.from({ length: count }, () =>
      Array.from({ length: 1 + Math.floor(random() * 7) }, letter).join(''),
    );
  for (let round = 0; round < 200; round += 1) {
    const missed = words(Math.floor(random() * 12));
    const surplus = words(Math.floor(random() * 12));
    assert.equal(wordEdits(missed, surplus), plainGreedyEdits(missed, surplus));
  }
});

test('where there is no time to look for partners, edits are too many and never too few', () => {
  const missed = ['18240', '18241', '18242'];
  const surplus = ['18250', '18251', '18252'];
  assert.equal(wordEdits(missed, surplus), 3);
  assert.equal(wordEdits(missed, surplus, 0), 30);
});

test('the distance of two words is exact up to the bound, and above it beyond', () => {
  assert.equal(editDistance('kitten', 'sitting'), 3);
  assert.equal(editDistance('kitten', 'sitting', 3), 3);
  assert.ok(editDistance('kitten', 'sitting', 2) > 2);
  assert.equal(editDistance('', 'abc'), 3);
  assert.equal(editDistance('abc', ''), 3);
  assert.ok(editDistance('a', 'abcdef', 2) > 2);
});

test('distances by bit vectors are those of the plain table, also at the width of a machine word', () => {
  const random = seeded(11);
  const word = (length: number) =>
    Array.from({ length }, () => 'abß4€'[Math.floor(random() * 5)] ?? '').join('');
  for (let round = 0; round < 2_000; round += 1) {
    const from = word(round % 41);
    const distanceTo = distancesFrom(from);
    for (const to of [word(Math.floor(random() * 45)), '', from]) {
      const distance = editDistance(from, to);
      assert.equal(distanceTo(to, Infinity), distance);
      assert.equal(distanceTo(to, distance), distance);
      if (distance > 0) assert.ok(distanceTo(to, distance - 1) > distance - 1);
    }
  }
});

function plainGreedyEdits(missed: readonly string[], surplus: readonly string[]): number {
  const left = [...surplus];
  let edits = 0;
  for (const word of [...missed].sort((a, b) => b.length - a.length)) {
    let [best, partner] = [word.length, -1];
    left.forEach((candidate, i) => {
      const distance = editDistance(word, candidate);
      if (distance < best) [best, partner] = [distance, i];
    });
    edits += best;
    if (partner >= 0) left.splice(partner, 1);
  }
  return edits + left.reduce((sum, word) => sum + word.length, 0);
}
