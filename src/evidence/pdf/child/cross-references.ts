import { DocketError } from '../../../errors.ts';
import { readIndirectObject } from './indirect-object.ts';
import { PdfParser } from './pdf-parser.ts';
import type { PdfDictionary, PdfValue } from './pdf-value.ts';
import { isArray, isStream, nameOf } from './pdf-value.ts';
import { unpackStream } from './stream-data.ts';

/** Where an object is found. */
export type Entry =
  | { readonly kind: 'free' }
  | { readonly kind: 'offset'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'packed'; readonly container: number; readonly index: number };

/** One section of cross-references: that of one revision, or of a part of the first. */
export interface Section {
  readonly offset: number;
  readonly end: number;
  readonly entries: ReadonlyMap<number, Entry>;
  readonly trailer: PdfDictionary;
  /** Offset of the section before it. */
  readonly previous: number | undefined;
  /** Whether it is one for old readers and one for new ones: two views of one revision. */
  readonly isHybrid: boolean;
  /** Whether it is a table with a trailer, not a stream. */
  readonly isTable: boolean;
}

const MOST_SECTIONS = 200;
const FREE: Entry = { kind: 'free' };
const LINE = /^(\d{10}) (\d{5}) ([nf])(?: \r| \n|\r\n)$/;

/** Reads all sections from the last one back to the first. Throws CORRUPT. */
export function readSections(bytes: Buffer): readonly Section[] {
  const sections: Section[] = [];
  const seen = new Set<number>();
  for (let offset: number | undefined = lastSection(bytes); offset !== undefined;) {
    if (seen.has(offset) || seen.size > MOST_SECTIONS)
      throw new DocketError('CORRUPT', 'the cross-references lead in a circle, or have too many sections');
    seen.add(offset);
    const section = readSection(bytes, offset);
    sections.push(section);
    offset = section.previous;
  }
  return sections;
}

/** Where the section is to which the last line before `end` leads, if the bytes end as a revision does. */
export function sectionEndingAt(bytes: Buffer, end: number): number | undefined {
  const tail = bytes.toString('latin1', Math.max(0, end - 64), end);
  const found = /startxref[\r\n ]+(\d{1,15})[\r\n ]+%%EOF(?:\r\n|\r|\n| )*$/.exec(tail);
  return found ? Number(found[1]) : undefined;
}

function lastSection(bytes: Buffer): number {
  const end = bytes.lastIndexOf('%%EOF') + '%%EOF'.length;
  const offset = sectionEndingAt(bytes, end);
  if (offset === undefined) throw new DocketError('CORRUPT', 'the end does not say where the objects are');
  return offset;
}

function readSection(bytes: Buffer, offset: number): Section {
  const parser = new PdfParser(bytes, offset);
  if (!parser.accept('xref')) return readStreamSection(bytes, offset);
  const entries = readTable(bytes, parser);
  const trailer = parser.dictionary();
  const beside = trailer.entries.get('XRefStm');
  if (typeof beside === 'number') {
    for (const [number, entry] of readStreamSection(bytes, beside).entries) {
      if ((entries.get(number) ?? FREE).kind === 'free') entries.set(number, entry);
    }
  }
  const isHybrid = beside !== undefined;
  return { offset, end: parser.at, entries, trailer, previous: previousOf(trailer), isHybrid, isTable: true };
}

function readTable(bytes: Buffer, parser: PdfParser): Map<number, Entry> {
  const entries = new Map<number, Entry>();
  parser.skipSpace();
  while (!parser.accept('trailer')) {
    const first = parser.integer();
    parser.expect(' ');
    const count = parser.integer();
    parser.skipSpace();
    for (let number = first; number < first + count; number += 1) {
      const line = LINE.exec(bytes.toString('latin1', parser.at, parser.at + 20));
      if (!line) throw new DocketError('CORRUPT', `there is no cross-reference at byte ${parser.at}`);
      add(
        entries,
        number,
        line[3] === 'f' ? FREE : { kind: 'offset', offset: Number(line[1]), generation: Number(line[2]) },
      );
      parser.skip(20);
    }
    parser.skipSpace();
  }
  parser.skipSpace();
  return entries;
}

function readStreamSection(bytes: Buffer, offset: number): Section {
  const { value, end } = readIndirectObject(bytes, offset, () => null);
  if (!isStream(value) || nameOf(value.dictionary.entries.get('Type')) !== 'XRef')
    throw new DocketError('CORRUPT', `there are no cross-references at byte ${offset}`);
  const trailer = value.dictionary;
  const widths = integers(trailer.entries.get('W'));
  const [typeWidth = 0, secondWidth = 0, thirdWidth = 0] = widths;
  const index = integers(trailer.entries.get('Index') ?? [0, trailer.entries.get('Size') ?? 0]);
  const isKnown = widths.length === 3 && widths.every((width) => width <= 6) && secondWidth > 0;
  if (!isKnown || index.length % 2 !== 0)
    throw new DocketError('CORRUPT', `the cross-references at byte ${offset} have no known form`);
  const data = unpackStream(value);
  let at = 0;
  const next = (width: number): number => {
    at += width;
    if (at > data.length) throw new DocketError('CORRUPT', 'there are fewer cross-references than said');
    return width === 0 ? 0 : data.readUIntBE(at - width, width);
  };
  const entries = new Map<number, Entry>();
  for (let pair = 0; pair < index.length; pair += 2) {
    const first = index[pair] ?? 0;
    for (let number = first; number < first + (index[pair + 1] ?? 0); number += 1) {
      const type = typeWidth === 0 ? 1 : next(typeWidth);
      const second = next(secondWidth);
      const third = next(thirdWidth);
      if (type > 2) throw new DocketError('CORRUPT', 'a cross-reference is of no known kind');
      if (type === 0) add(entries, number, FREE);
      else if (type === 1) add(entries, number, { kind: 'offset', offset: second, generation: third });
      else add(entries, number, { kind: 'packed', container: second, index: third });
    }
  }
  return { offset, end, entries, trailer, previous: previousOf(trailer), isHybrid: false, isTable: false };
}

function add(entries: Map<number, Entry>, number: number, entry: Entry): void {
  if (entries.has(number)) throw new DocketError('CORRUPT', `object ${number} is listed twice`);
  entries.set(number, entry);
}

function previousOf({ entries }: PdfDictionary): number | undefined {
  const previous = entries.get('Prev');
  if (previous === undefined || typeof previous === 'number') return previous;
  throw new DocketError('CORRUPT', 'the section of cross-references before is no number');
}

function integers(value: PdfValue | undefined): number[] {
  const items = isArray(value) ? value : [];
  const numbers = items.filter((item) => typeof item === 'number' && Number.isInteger(item) && item >= 0);
  return numbers.length === items.length ? (numbers as number[]) : [];
}
