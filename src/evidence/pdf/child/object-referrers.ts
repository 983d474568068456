import type { PdfView } from './pdf-view.ts';
import { entriesOf, isContainer, referencesIn } from './pdf-value.ts';

/** Whatever refers to an object: numbers of objects, or the trailer, with the key of the entry. */
export type Referrers = ReadonlyMap<number, ReadonlySet<string>>;

/** An entry that can refer to objects; of an object that is no dictionary, the whole has an empty key. */
export function place(holder: number | 'trailer', key: string): string {
  return `${holder}/${key}`;
}

/** Finds the places that refer to each object of a document, in use or not. Throws CORRUPT. */
export function findReferrers(view: PdfView): Referrers {
  const referrers = new Map<number, Set<string>>();
  const note = (
    holder: number | 'trailer',
    entries: Iterable<[string, Parameters<typeof referencesIn>[0]]>,
  ): void => {
    for (const [key, value] of entries) {
      for (const number of referencesIn(value)) {
        const places = referrers.get(number) ?? new Set();
        referrers.set(number, places.add(place(holder, key)));
      }
    }
  };
  note('trailer', view.trailer);
  for (const number of view.entries.keys()) {
    const value = view.object(number);
    if (isContainer(value)) continue;
    const entries = entriesOf(value);
    note(number, entries.size > 0 ? entries : [['', value]]);
  }
  return referrers;
}
