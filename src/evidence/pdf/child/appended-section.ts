import type { Entry, Section } from './cross-references.ts';
import { readIndirectObject } from './indirect-object.ts';
import { PdfParser } from './pdf-parser.ts';
import type { PdfView } from './pdf-view.ts';
import { isStream, nameOf } from './pdf-value.ts';

/**
 * Whether what stands between `start`, the end of the revision before, and the answer is one appended revision and nothing
 * else: every byte belongs to an object that its cross-references list, to these, or is space. Then no reader can find more
 * or other objects in it than another. Answers the end of the revision, or undefined if anything is odd.
 */
export function endOfAppended(
  bytes: Buffer,
  start: number,
  section: Section,
  views: { readonly before: PdfView; readonly after: PdfView },
): number | undefined {
  if (section.isHybrid || section.offset < start) return undefined;
  const { before, after } = views;
  const parser = new PdfParser(bytes, start);
  const offsets = new Map<number, number>();
  let objects = section.isTable ? 0 : 1;
  for (const [number, entry] of section.entries) {
    const earlier = before.entries.get(number);
    if (isSameEntry(entry, earlier)) continue;
    const existed = (earlier?.kind ?? 'free') !== 'free';
    if (existed && (entry.kind === 'free' || generationOf(entry) !== generationOf(earlier))) return undefined;
    if (entry.kind === 'offset') offsets.set(entry.offset, number);
    if (entry.kind === 'packed' && section.entries.get(entry.container)?.kind !== 'offset') return undefined;
  }
  for (;;) {
    parser.skipSpace();
    const number = offsets.get(parser.at);
    if (number === undefined) break;
    offsets.delete(parser.at);
    if (parser.at !== section.offset) objects += 1;
    const object = readIndirectObject(bytes, parser.at, (length) => after.resolve(length));
    if (object.number !== number || !packsOnlyListed(number, object.value, section, after)) return undefined;
    parser.skip(object.end - parser.at);
  }
  if (parser.at === section.offset) {
    parser.skip(section.end - section.offset);
    parser.skipSpace();
  }
  const isComplete = offsets.size === 0 && section.end <= parser.at;
  const text = bytes.toString('latin1', start, parser.at);
  return isComplete && showsOnly(text, { objects, trailers: section.isTable ? 1 : 0 })
    ? endAfter(parser, section.offset)
    : undefined;
}

/**
 * Whether a reader that looks for objects by their heads, because it cannot follow the cross-references, finds so many and no
 * others, such as in the data of a stream. Such a reader may skip what looks like a comment.
 */
function showsOnly(text: string, expected: { objects: number; trailers: number }): boolean {
  return [text, text.replace(/%[^\r\n]*/g, ' ')].every(
    (read) =>
      count(read, /\d[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]*obj/g) === expected.objects &&
      count(read, /trailer[\0\t\n\f\r ]*<</g) === expected.trailers,
  );
}

function count(text: string, pattern: RegExp): number {
  let found = 0;
  for (const matches = text.matchAll(pattern); matches.next().done !== true;) found += 1;
  return found;
}

/** The end of the line that ends a revision, if that is what comes next. */
function endAfter(parser: PdfParser, offset: number): number | undefined {
  if (!parser.accept('startxref')) return undefined;
  parser.skipSpace();
  if (parser.integer() !== offset) return undefined;
  while (parser.accept('\n') || parser.accept('\r') || parser.accept(' '));
  return parser.accept('%%EOF') ? parser.at : undefined;
}

function packsOnlyListed(
  number: number,
  value: Parameters<typeof isStream>[0],
  section: Section,
  after: PdfView,
): boolean {
  if (!isStream(value) || nameOf(value.dictionary.entries.get('Type')) !== 'ObjStm') return true;
  return after.packed(number).every((object, index) => {
    const entry = section.entries.get(object.number);
    return entry?.kind === 'packed' && entry.container === number && entry.index === index;
  });
}

function generationOf(entry: Entry | undefined): number {
  return entry?.kind === 'offset' ? entry.generation : 0;
}

function isSameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a?.kind === 'offset')
    return b?.kind === 'offset' && a.offset === b.offset && a.generation === b.generation;
  if (a?.kind === 'packed') return b?.kind === 'packed' && a.container === b.container && a.index === b.index;
  return a?.kind === b?.kind;
}
