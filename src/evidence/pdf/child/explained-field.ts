import type { LaterChanges } from '../../signature.ts';
import type { ExplainedChanges } from './explained-changes.ts';
import type { FormField } from './form-fields.ts';
import type { PdfView } from './pdf-view.ts';
import type { PdfValue } from './pdf-value.ts';
import { entriesOf, isArray, isSame, nameOf } from './pdf-value.ts';

/** What changes in a field when somebody fills it in. */
const FILLED_IN = new Set(['V', 'AP', 'AS', 'M', 'RV', 'I']);
/** What changes in an empty signature field when somebody signs. */
const SIGNED = new Set(['V', 'AP', 'M', 'F', 'DA', 'MK']);

/** Explains a field of the form that was filled in or signed. A field that was signed already may not change at all. */
export function explainField(
  field: FormField,
  document: {
    readonly before: PdfView;
    readonly after: PdfView;
    readonly explained: ExplainedChanges;
    readonly isChanged: boolean;
  },
): void {
  const { number, type, entries: old } = field;
  const { before, after, explained, isChanged } = document;
  const now = entriesOf(after.object(number));
  const isSignature = type === 'Sig';
  if (isSignature && before.resolve(old.get('V')) !== null) return;
  const mayChange = isSignature ? SIGNED : FILLED_IN;
  const keys = new Set([...old.keys(), ...now.keys()]);
  if (![...keys].every((key) => mayChange.has(key) || isSame(old.get(key), now.get(key)))) return;
  const values = [explained.claim(now.get('V'), number, 'V'), explained.claim(now.get('AP'), number, 'AP')];
  if (!isChanged && !values.includes(true)) return;
  if (isChanged) explained.explain(number);
  explained.raise(isSignature ? signatureKind(now, after) : 'form_filling');
}

/** What the field of a time-stamp has that is shown nowhere and does nothing. */
const OF_TIMESTAMP = new Set([
  ...['Type', 'Subtype', 'FT', 'Ff', 'T', 'TU', 'V', 'Lock', 'SV'],
  ...['F', 'P', 'Rect', 'AP', 'M', 'MK', 'DA', 'BS', 'Border'],
]);

/** A time-stamp that is shown nowhere and does nothing only helps to check; anything else is another signature. */
export function signatureKind(field: ReadonlyMap<string, PdfValue>, view: PdfView): LaterChanges {
  const signature = entriesOf(view.resolve(field.get('V')));
  const isTimestamp = nameOf(signature.get('SubFilter')) === 'ETSI.RFC3161';
  const isOnlyThat = isTimestamp && [...field.keys()].every((key) => OF_TIMESTAMP.has(key));
  return isOnlyThat && isInvisible(view.resolve(field.get('Rect')), view) ? 'validation_data' : 'signatures';
}

function isInvisible(rectangle: PdfValue, view: PdfView): boolean {
  if (rectangle === null) return true;
  const [x0, y0, x1, y1] = isArray(rectangle) ? rectangle.map((side) => view.resolve(side)) : [];
  return typeof x0 === 'number' && typeof y0 === 'number' && (x0 === x1 || y0 === y1);
}
