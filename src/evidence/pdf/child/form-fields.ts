import type { PdfView } from './pdf-view.ts';
import type { PdfValue } from './pdf-value.ts';
import { entriesOf, isArray, isReference, nameOf } from './pdf-value.ts';

/** A field of the form, or one of the places where it is shown. */
export interface FormField {
  readonly number: number;
  /** Sig, Tx, Btn or Ch; its own, or that of the field above. */
  readonly type: string | undefined;
  readonly entries: ReadonlyMap<string, PdfValue>;
}

/** More than any form has. */
const MOST_FIELDS = 100_000;

/** All fields of the document's form, with those below them. Throws CORRUPT. */
export function readFormFields(view: PdfView): ReadonlyMap<number, FormField> {
  const root = entriesOf(view.resolve(view.trailer.get('Root')));
  const form = entriesOf(view.resolve(root.get('AcroForm')));
  const fields = new Map<number, FormField>();
  const waiting: Waiting[] = listed(view, form.get('Fields')).map((number) => ({
    number,
    inherited: undefined,
  }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { number, inherited } = next;
    if (fields.has(number) || fields.size >= MOST_FIELDS) continue;
    const entries = entriesOf(view.object(number));
    const type = nameOf(view.resolve(entries.get('FT'))) ?? inherited;
    fields.set(number, { number, type, entries });
    waiting.push(...listed(view, entries.get('Kids')).map((kid) => ({ number: kid, inherited: type })));
  }
  return fields;
}

interface Waiting {
  readonly number: number;
  readonly inherited: string | undefined;
}

function listed(view: PdfView, value: PdfValue | undefined): number[] {
  const items = view.resolve(value);
  return isArray(items) ? items.filter(isReference).map(({ number }) => number) : [];
}
