import { DocketError } from '../../../errors.ts';
import type { Entry, Section } from './cross-references.ts';
import { readIndirectObject } from './indirect-object.ts';
import { PdfParser } from './pdf-parser.ts';
import type { PdfValue } from './pdf-value.ts';
import { isReference, isStream, nameOf } from './pdf-value.ts';
import { unpackStream } from './stream-data.ts';

/** Objects that stand together in a stream, by number. */
type Packed = readonly { readonly number: number; readonly value: PdfValue }[];

/** A document as it is after one of its revisions. Reading an object throws CORRUPT where it is not as it has to be. */
export class PdfView {
  readonly entries: ReadonlyMap<number, Entry>;
  readonly trailer: ReadonlyMap<string, PdfValue>;
  readonly #bytes: Buffer;
  readonly #values = new Map<number, PdfValue>();
  readonly #containers = new Map<number, Packed>();
  readonly #opening = new Set<number>();

  /** `sections`: the revision's own first, then those before it. */
  constructor(bytes: Buffer, sections: readonly Section[]) {
    this.#bytes = bytes;
    this.entries = new Map(sections.toReversed().flatMap((section) => [...section.entries]));
    this.trailer = sections[0]?.trailer.entries ?? new Map<string, PdfValue>();
  }

  /** What a value stands for: the object that it refers to, if it does; null for an object that is not there. */
  resolve(value: PdfValue | undefined): PdfValue {
    let resolved = value ?? null;
    for (let step = 0; isReference(resolved); step += 1) {
      if (step > 10) throw new DocketError('CORRUPT', 'a reference leads in a circle');
      resolved = this.object(resolved.number);
    }
    return resolved;
  }

  object(number: number): PdfValue {
    const known = this.#values.get(number);
    if (known !== undefined) return known;
    if (this.#opening.has(number)) throw new DocketError('CORRUPT', `object ${number} needs itself`);
    this.#opening.add(number);
    try {
      const value = this.#read(number);
      this.#values.set(number, value);
      return value;
    } finally {
      this.#opening.delete(number);
    }
  }

  /** The objects of a stream of objects, in its order. */
  packed(container: number): Packed {
    const known = this.#containers.get(container);
    if (known) return known;
    const stream = this.object(container);
    const entries = isStream(stream) ? stream.dictionary.entries : undefined;
    const count = entries?.get('N');
    const first = entries?.get('First');
    if (!isStream(stream) || nameOf(entries?.get('Type')) !== 'ObjStm' || typeof count !== 'number')
      throw new DocketError('CORRUPT', `object ${container} is no stream of objects`);
    const data = unpackStream(stream);
    const header = new PdfParser(data, 0);
    const places: { number: number; at: number }[] = [];
    for (let i = 0; i < count; i += 1) {
      header.skipSpace();
      const number = header.integer();
      header.skipSpace();
      places.push({ number, at: header.integer() + Number(first) });
    }
    const objects = places.map(({ number, at }) => ({ number, value: new PdfParser(data, at).value() }));
    this.#containers.set(container, objects);
    return objects;
  }

  #read(number: number): PdfValue {
    const entry = this.entries.get(number);
    if (entry?.kind === 'packed') {
      const found = this.packed(entry.container)[entry.index];
      if (found?.number !== number)
        throw new DocketError('CORRUPT', `object ${number} is not where it is said to be`);
      return found.value;
    }
    if (entry?.kind !== 'offset') return null;
    const object = readIndirectObject(this.#bytes, entry.offset, (length) => this.resolve(length));
    if (object.number !== number || object.generation !== entry.generation)
      throw new DocketError('CORRUPT', `object ${number} is not where it is said to be`);
    return object.value;
  }
}
