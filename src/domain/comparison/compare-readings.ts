// Two readings of the same scan, compared word by word: what a trial of an OCR configuration is judged by.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pairWords, type PlacedWord } from './pair-words.ts';
import { isField, plainWord } from './plain-word.ts';
import { wordEdits } from './word-edits.ts';

/** A page as it was read: what is compared of it. A RecognisedPage of the engine is one. */
export interface ReadPage {
  readonly pageNo: number;
  /** Pixels of the image that boxes refer to. */
  readonly width: number;
  readonly height: number;
  /** `text`, `blank` or `no_text`. */
  readonly verdict: string;
  /** Mean over the words, 0 to 100. */
  readonly confidence: number;
  /** Text, confidence, and the box x0, y0, x1, y1. */
  readonly words: readonly (readonly [string, number, number, number, number, number])[];
}

/** Counts of both readings. Characters are UTF-16 code units of words. */
export interface Counts {
  readonly charactersBefore: number;
  readonly charactersAfter: number;
  /** To insert, delete or replace to come from one to the other, whatever the order of the words; an upper bound where nearly all of thousands of words differ. */
  readonly characterEdits: number;
  readonly wordsBefore: number;
  readonly wordsAfter: number;
  /** Words that are the same in both, to the letter. */
  readonly wordsKept: number;
  /** Words of four and more characters with a digit, punctuation at their ends aside. */
  readonly fieldsBefore: number;
  readonly fieldsAfter: number;
  readonly fieldsKept: number;
  /** 0 to 100; of a document the mean over its pages with text. */
  readonly confidenceBefore: number;
  readonly confidenceAfter: number;
}

export interface PageComparison extends Counts {
  readonly page: number;
  /** Pixels of the page as it was read the second time, which boxes refer to; of a page that was not, the first time. */
  readonly width: number;
  readonly height: number;
  /** Where words are that only one of both has: x0, y0, x1, y1. At most 200, and 5,000 a document. */
  readonly differs: readonly (readonly [number, number, number, number])[];
}

export interface Comparison extends Counts {
  readonly pagesBefore: number;
  readonly pagesAfter: number;
  readonly pages: readonly PageComparison[];
}

const MOST_BOXES_A_PAGE = 200;
const MOST_BOXES = 5_000;

/**
 * Compares what was read of a scan with what was read of it before, page by page, and lets others have their turn
 * after each. Nothing of the text is in the answer.
 * A page of 10,000 words, all of them other ones, takes a quarter of a second; pages as they are take less than a millisecond.
 */
export async function compareReadings(
  before: readonly ReadPage[],
  after: readonly ReadPage[],
): Promise<Comparison> {
  const numbers = [...new Set([...before, ...after].map(({ pageNo }) => pageNo))].sort((a, b) => a - b);
  const inBefore = new Map(before.map((page) => [page.pageNo, page]));
  const inAfter = new Map(after.map((page) => [page.pageNo, page]));
  let boxesLeft = MOST_BOXES;
  const pages: PageComparison[] = [];
  for (const page of numbers) {
    const compared = comparePage(page, inBefore.get(page), inAfter.get(page), boxesLeft);
    boxesLeft -= compared.differs.length;
    pages.push(compared);
    await nextTurn();
  }
  const total = (count: keyof Counts) => pages.reduce((sum, page) => sum + page[count], 0);
  return {
    pagesBefore: before.length,
    pagesAfter: after.length,
    charactersBefore: total('charactersBefore'),
    charactersAfter: total('charactersAfter'),
    characterEdits: total('characterEdits'),
    wordsBefore: total('wordsBefore'),
    wordsAfter: total('wordsAfter'),
    wordsKept: total('wordsKept'),
    fieldsBefore: total('fieldsBefore'),
    fieldsAfter: total('fieldsAfter'),
    fieldsKept: total('fieldsKept'),
    confidenceBefore: meanConfidence(before),
    confidenceAfter: meanConfidence(after),
    pages,
  };
}

function comparePage(
  page: number,
  before: ReadPage | undefined,
  after: ReadPage | undefined,
  boxesLeft: number,
): PageComparison {
  const { width, height } = after ?? before ?? { width: 0, height: 0 };
  const wordsBefore = placedWords(before, width, height);
  const wordsAfter = placedWords(after, width, height);
  const { kept, lost, gained } = pairWords(wordsBefore, wordsAfter);
  const fieldsBefore = fieldsOf(wordsBefore);
  const fieldsAfter = fieldsOf(wordsAfter);
  return {
    page,
    width,
    height,
    charactersBefore: charactersOf(wordsBefore),
    charactersAfter: charactersOf(wordsAfter),
    characterEdits: wordEdits(
      lost.map(({ text }) => text),
      gained.map(({ text }) => text),
    ),
    wordsBefore: wordsBefore.length,
    wordsAfter: wordsAfter.length,
    wordsKept: kept,
    fieldsBefore: fieldsBefore.length,
    fieldsAfter: fieldsAfter.length,
    fieldsKept: pairWords(fieldsBefore, fieldsAfter).kept,
    confidenceBefore: before?.confidence ?? 0,
    confidenceAfter: after?.confidence ?? 0,
    differs: [...gained, ...lost].slice(0, Math.min(MOST_BOXES_A_PAGE, boxesLeft)).map(({ box }) => box),
  };
}

/** Words with their boxes on an image of that size; the same page may have been rendered at another. */
function placedWords(page: ReadPage | undefined, width: number, height: number): PlacedWord[] {
  if (!page) return [];
  const sx = page.width > 0 ? width / page.width : 1;
  const sy = page.height > 0 ? height / page.height : 1;
  const words: PlacedWord[] = [];
  for (const [written, , x0, y0, x1, y1] of page.words) {
    const box = [Math.round(x0 * sx), Math.round(y0 * sy), Math.round(x1 * sx), Math.round(y1 * sy)] as const;
    for (const text of written.split(/\s+/)) if (text !== '') words.push({ text, box });
  }
  return words;
}

function fieldsOf(words: readonly PlacedWord[]): PlacedWord[] {
  return words.map(({ text, box }) => ({ text: plainWord(text), box })).filter(({ text }) => isField(text));
}

function charactersOf(words: readonly PlacedWord[]): number {
  return words.reduce((sum, { text }) => sum + text.length, 0);
}

function meanConfidence(pages: readonly ReadPage[]): number {
  const read = pages.filter(({ verdict }) => verdict === 'text');
  return read.length === 0 ? 0 : read.reduce((sum, { confidence }) => sum + confidence, 0) / read.length;
}
