import { BYTE_RANGE_MARK, LONGEST_MARK } from '../byte-range-mark.ts';
import type { Section } from './cross-references.ts';
import { readIndirectObject } from './indirect-object.ts';
import type { IndirectObject } from './indirect-object.ts';
import type { PdfView } from './pdf-view.ts';
import type { PdfDictionary, PdfValue } from './pdf-value.ts';
import { entriesOf, isArray, isDictionary, nameOf } from './pdf-value.ts';

/** A dictionary with a byte range, and the object in which it stands. */
export interface SignatureDictionary {
  readonly object: IndirectObject;
  readonly dictionary: PdfDictionary;
  /** Whether a section of cross-references says that the object is there; null if these cannot be read. */
  readonly isListed: boolean | null;
}

const PIECE = 1024 * 1024;
/** More marks are no signatures, but work for whoever looks at them. */
const MOST_MARKS = 1000;
/** How many words "obj" are looked at on the way from a mark back to the head of its object. */
const STEPS_BACK = 1000;

/**
 * Finds every signature by its mark in the bytes, whatever the cross-references say: nothing that stands in the file is
 * missed because a reader was led around it. Usage rights, which sign no content, are left out. Undefined if there are more
 * marks than can be looked at.
 */
export function findSignatureDictionaries(
  bytes: Buffer,
  document: { readonly sections: readonly Section[]; readonly view: PdfView } | undefined,
): SignatureDictionary[] | undefined {
  const listed = new Set(document?.sections.flatMap(({ entries }) => [...entries.values()].map(offsetOf)));
  const found = new Map<number, SignatureDictionary>();
  let marks = 0;
  for (const mark of findMarks(bytes)) {
    marks += 1;
    if (marks > MOST_MARKS) return undefined;
    const object = objectAround(bytes, mark, document?.view);
    const dictionary = object && dictionaryAround(object.value, mark);
    if (!object || !dictionary?.entries.has('ByteRange') || grantsRights(dictionary)) continue;
    const isListed = document ? listed.has(object.start) : null;
    found.set(dictionary.start, { object, dictionary, isListed });
  }
  return [...found.values()];
}

function offsetOf(entry: { kind: string; offset?: number }): number | undefined {
  return entry.kind === 'offset' ? entry.offset : undefined;
}

function* findMarks(bytes: Buffer): Generator<number> {
  for (let start = 0; start < bytes.length; start += PIECE) {
    const text = bytes.toString('latin1', start, start + PIECE + LONGEST_MARK - 1);
    for (const { index } of text.matchAll(BYTE_RANGE_MARK)) if (index < PIECE) yield start + index;
  }
}

/** The object in whose text a mark stands, if it can be read. */
function objectAround(bytes: Buffer, mark: number, view: PdfView | undefined): IndirectObject | undefined {
  let word = mark;
  for (let step = 0; step < STEPS_BACK; step += 1) {
    word = bytes.lastIndexOf('obj', word - 1);
    if (word < 0) return undefined;
    const head = /\d{1,10}[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+$/.exec(
      bytes.toString('latin1', Math.max(0, word - 32), word),
    );
    if (!head) continue;
    try {
      const start = word - head[0].length;
      const object = readIndirectObject(bytes, start, (length) => view?.resolve(length) ?? null);
      return object.end > mark ? object : undefined;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function dictionaryAround(value: PdfValue, mark: number): PdfDictionary | undefined {
  const children = isArray(value) ? value : [...entriesOf(value).values()];
  for (const child of children) {
    const inner = dictionaryAround(child, mark);
    if (inner) return inner;
  }
  return isDictionary(value) && value.start < mark && mark < value.end ? value : undefined;
}

function grantsRights({ entries }: PdfDictionary): boolean {
  const references = entries.get('Reference');
  const methods = isArray(references)
    ? references.map((reference) => nameOf(entriesOf(reference).get('TransformMethod')))
    : [];
  return methods.some((method) => method === 'UR' || method === 'UR3');
}
