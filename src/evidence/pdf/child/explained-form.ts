import type { ObjectChange } from './changed-objects.ts';
import type { ExplainedChanges } from './explained-changes.ts';
import { explainField, signatureKind } from './explained-field.ts';
import { readFormFields } from './form-fields.ts';
import type { PdfView } from './pdf-view.ts';
import type { PdfValue } from './pdf-value.ts';
import { addedTo, entriesOf, isReference, isSame, nameOf } from './pdf-value.ts';

/**
 * Explains what became of the form: new signature fields, and values of fields. Answers the objects that show fields, or
 * undefined if something else became of it.
 */
export function explainForm(form: {
  readonly before: PdfView;
  readonly after: PdfView;
  readonly changes: ReadonlyMap<number, ObjectChange>;
  readonly explained: ExplainedChanges;
  /** Number of the catalogue. */
  readonly root: number;
}): ReadonlySet<number> | undefined {
  const { before, after, changes, explained, root } = form;
  const formBefore = entriesOf(before.object(root)).get('AcroForm');
  const formAfter = entriesOf(after.object(root)).get('AcroForm');
  const old = entriesOf(before.resolve(formBefore));
  const now = entriesOf(after.resolve(formAfter));
  const placeOf = (key: string): [number, string] =>
    isReference(formBefore) ? [formBefore.number, key] : [root, 'AcroForm'];
  const added = addedTo(before.resolve(old.get('Fields')), after.resolve(now.get('Fields')));
  if (!added?.every((number) => isSignatureField(number))) return undefined;
  if (!explainEntries()) return undefined;
  if (isReference(formAfter) && (isSame(formBefore, formAfter) || explained.isNew(formAfter.number)))
    explained.explain(formAfter.number);
  explained.explainHeld(now.get('Fields'), ...placeOf('Fields'));

  const fields = readFormFields(before);
  for (const field of fields.values()) {
    explainField(field, { after, explained, isChanged: changes.has(field.number), before });
  }
  for (const number of added) {
    explained.raise(signatureKind(entriesOf(after.object(number)), after));
    explained.claimNew({ kind: 'reference', number, generation: 0 });
  }
  return new Set([...fields.keys(), ...added]);

  function isSignatureField(number: number): boolean {
    const entries = entriesOf(after.object(number));
    return explained.isNew(number) && nameOf(entries.get('FT')) === 'Sig' && !entries.has('Kids');
  }

  function explainEntries(): boolean {
    for (const key of new Set([...old.keys(), ...now.keys()])) {
      if (key === 'Fields' || key === 'SigFlags') continue;
      if (key === 'DR') {
        if (!explainResources(old.get(key), now.get(key))) return false;
      } else if (key === 'NeedAppearances' || (key === 'DA' && !old.has(key))) {
        if (!isSame(old.get(key), now.get(key))) explained.raise('signatures');
      } else if (!isSame(old.get(key), now.get(key))) return false;
    }
    return true;
  }

  /** Resources for how fields are shown may be added to, category by category. */
  function explainResources(oldValue: PdfValue | undefined, nowValue: PdfValue | undefined): boolean {
    const oldResources = entriesOf(before.resolve(oldValue));
    const resources = entriesOf(after.resolve(nowValue));
    if (![...oldResources.keys()].every((category) => resources.has(category))) return false;
    explained.explainHeld(nowValue, ...placeOf('DR'));
    explained.claimNew(nowValue);
    return [...resources].every(([category, value]) => {
      const oldItem = before.resolve(oldResources.get(category));
      const item = after.resolve(value);
      if (!isSame(oldItem, item)) explained.raise('signatures');
      if (isReference(value) && isReference(oldValue))
        explained.explainHeld(value, oldValue.number, category);
      const had = entriesOf(oldItem);
      return (
        had.size === 0 || [...had].every(([name, resource]) => isSame(resource, entriesOf(item).get(name)))
      );
    });
  }
}
