import { chain, invert, mapBox, quarterTurn, scaling, toPixels } from '../geometry.ts';
import type { Box } from '../geometry.ts';
import { alignWords } from './align-words.ts';
import type { PlacedWord } from './align-words.ts';
import { findSpans } from './find-spans.ts';
import type { FoundSpan } from './find-spans.ts';
import type { CompiledRules, RegionRule } from './rules.ts';

/** A word of a page: text, confidence, and its box in pixels of the page image as delivered. */
export type PageWord = [text: string, confidence: number, x0: number, y0: number, x1: number, y1: number];

/** What redaction needs of a page. */
export interface ReadPage {
  readonly width: number;
  readonly height: number;
  /** Clockwise turn that makes the page upright. */
  readonly rotation: 0 | 90 | 180 | 270;
  readonly text: string;
  readonly words: readonly PageWord[];
}

/**
 * Where something is masked, never what. `start` (from 0) and `length` count characters of the text as Postgres counts them
 * (code points): `substring(text from start + 1 for length)`. `boxes` are [x0, y0, x1, y1] in pixels of the page image. A
 * region that holds no text has length 0 and its own box.
 */
export interface Mask {
  readonly rule: string;
  readonly reason: string;
  readonly start: number;
  readonly length: number;
  readonly boxes: readonly (readonly [number, number, number, number])[];
}

export interface RedactedPage {
  readonly text: string;
  readonly words: readonly PageWord[];
  readonly masks: readonly Mask[];
}

/** The character that stands for one that is masked. */
export const MASK = '█';

/** A word lies in a region when this part of its area does. */
const SHARE_IN_REGION = 0.3;

/**
 * A page as the rules leave it. In the text every masked character but white space is replaced by one █; a word that a mask
 * touches, or that does not stand in the text, is left out. Where a region is to be masked, so is text without words.
 */
export function redactPage(page: ReadPage, rules: CompiledRules, documentKind: string): RedactedPage {
  const { text } = page;
  const placed = alignWords(text, page.words);
  const regions = rules.regions.filter(({ documentKind: kind }) => kind === null || kind === documentKind);
  const spans = [
    ...findSpans(text, rules, documentKind),
    ...regions.flatMap((region) => [
      ...spansInRegion(region, regionBox(region, page), placed),
      ...spansAnywhere(region, text, placed.at(-1)?.end ?? 0),
    ]),
  ].sort((a, b) => a.start - b.start || b.end - a.end);
  const masked = new Uint8Array(text.length);
  for (const { start, end } of spans) masked.fill(1, start, end);
  const count = codePointCounter(text);
  return {
    text: maskText(text, masked),
    words: placed
      .filter(({ start, end }) => !masked.subarray(start, end).includes(1))
      .map(({ word }) => word),
    masks: [
      ...spans.map(({ rule, reason, start, end }) => ({
        rule,
        reason,
        start: count(start),
        length: count(end) - count(start),
        boxes: placed.filter((word) => word.start < end && start < word.end).map(({ word }) => boxOf(word)),
      })),
      ...regions.map((region) => {
        const { x0, y0, x1, y1 } = regionBox(region, page);
        return {
          rule: region.rule,
          reason: region.reason,
          start: 0,
          length: 0,
          boxes: [[x0, y0, x1, y1] as const],
        };
      }),
    ],
  };
}

/** The words in a region, as few spans as the text allows. */
function spansInRegion(region: RegionRule, box: Box, placed: readonly PlacedWord<PageWord>[]): FoundSpan[] {
  const spans: FoundSpan[] = [];
  let before = -2;
  placed.forEach(({ word, start, end }, i) => {
    if (shareWithin(word, box) < SHARE_IN_REGION) return;
    const last = spans.at(-1);
    if (last !== undefined && before === i - 1) spans[spans.length - 1] = { ...last, end };
    else spans.push({ rule: region.rule, reason: region.reason, start, end });
    before = i;
  });
  return spans;
}

/** What follows the last word of which it is known where it stands may all stand in the region. */
function spansAnywhere({ rule, reason }: RegionRule, text: string, after: number): FoundSpan[] {
  const start = after + text.slice(after).search(/\S/u);
  return start < after ? [] : [{ rule, reason, start, end: text.trimEnd().length }];
}

/** The region in pixels of the page image as delivered. */
function regionBox({ region: [x0, y0, x1, y1] }: RegionRule, { width, height, rotation }: ReadPage): Box {
  const upright = rotation % 180 === 0 ? scaling(width, height) : scaling(height, width);
  const toImage = chain(upright, invert(quarterTurn(rotation, width, height)));
  return toPixels(mapBox(toImage, { x0, y0, x1, y1 }), width, height);
}

function shareWithin([, , x0, y0, x1, y1]: PageWord, box: Box): number {
  const width = Math.min(x1, box.x1) - Math.max(x0, box.x0);
  const height = Math.min(y1, box.y1) - Math.max(y0, box.y0);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / Math.max(1, (x1 - x0) * (y1 - y0));
}

function boxOf([, , x0, y0, x1, y1]: PageWord): [number, number, number, number] {
  return [x0, y0, x1, y1];
}

function maskText(text: string, masked: Uint8Array): string {
  let result = '';
  let i = 0;
  for (const character of text) {
    const isMasked = masked.subarray(i, i + character.length).includes(1);
    result += isMasked && !/\s/u.test(character) ? MASK : character;
    i += character.length;
  }
  return result;
}

/** Counts the code points before a place; for places of code units in rising or falling order alike. */
function codePointCounter(text: string): (place: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (place) => place;
  const counts = new Uint32Array(text.length + 1);
  let points = 0;
  let i = 0;
  for (const character of text) {
    counts.fill(points, i, i + character.length);
    i += character.length;
    points += 1;
  }
  counts[text.length] = points;
  return (place) => counts[place] ?? points;
}
