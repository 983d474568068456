import type { ExplainedChanges } from './explained-changes.ts';
import type { PdfView } from './pdf-view.ts';
import type { PdfValue } from './pdf-value.ts';
import { addedTo, entriesOf, isReference, isSame } from './pdf-value.ts';

/**
 * Explains a page that changed by nothing but places where fields are shown. Answers whether that is so. A field that was there
 * and is shown only now is filled in thereby.
 */
export function explainPage(page: {
  readonly before: PdfView;
  readonly after: PdfView;
  readonly number: number;
  readonly explained: ExplainedChanges;
  /** Objects that show fields of the form. */
  readonly widgets: ReadonlySet<number>;
}): boolean {
  const { before, after, number, explained, widgets } = page;
  const old = entriesOf(before.object(number));
  const now = entriesOf(after.object(number));
  const keys = new Set([...old.keys(), ...now.keys()]);
  keys.delete('Annots');
  const isElsewhereSame = [...keys].every((key) => isKept(old.get(key), now.get(key)));
  const added = addedTo(before.resolve(old.get('Annots')), after.resolve(now.get('Annots')));
  if (!isElsewhereSame || !added?.every((widget) => widgets.has(widget))) return false;
  if (!added.every((widget) => explained.isNew(widget))) explained.raise('form_filling');
  explained.explain(number);
  explained.explainHeld(now.get('Annots'), number, 'Annots');
  return true;

  /** Whether an entry is what it was, or refers to a new object that says the same as the old one. */
  function isKept(was: PdfValue | undefined, is: PdfValue | undefined): boolean {
    if (isSame(was, is)) return true;
    if (!isReference(is) || !explained.isNew(is.number)) return false;
    explained.explain(is.number);
    return isSame(before.resolve(was), after.resolve(is));
  }
}
