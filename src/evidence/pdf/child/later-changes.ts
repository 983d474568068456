import type { LaterChanges } from '../../signature.ts';
import { findChangedObjects } from './changed-objects.ts';
import type { Section } from './cross-references.ts';
import { explainForm } from './explained-form.ts';
import { ExplainedChanges } from './explained-changes.ts';
import { explainPage } from './explained-page.ts';
import { findReferrers } from './object-referrers.ts';
import type { PdfView } from './pdf-view.ts';
import type { PdfValue } from './pdf-value.ts';
import { entriesOf, isReference, isSame, nameOf } from './pdf-value.ts';

/** Entries of the catalogue that say how to check signatures, or tell of the document without being part of it. */
const VALIDATION_DATA = new Set(['DSS', 'Extensions', 'Version', 'Metadata']);
/** Entries of the trailer that belong to the file, not to the document. */
const OF_THE_FILE = new Set([
  ...['Size', 'Prev', 'ID', 'Info'],
  ...['Type', 'W', 'Index', 'Length', 'Filter', 'DecodeParms'],
]);

/**
 * What one revision changed of the document before it. Only what is understood completely has a name of its own; all else,
 * and all that could be read in two ways, is `other`.
 */
export function changesBetween(before: PdfView, after: PdfView, section: Section): LaterChanges {
  const referrers = findReferrers(before);
  const changes = findChangedObjects(section, before, after, referrers);
  const explained = new ExplainedChanges(changes, before, referrers);
  const root = before.trailer.get('Root');
  if (!isReference(root) || !isSameTrailer(before.trailer, after.trailer)) return 'other';
  if (!isSizedRight(before) || !isSizedRight(after)) return 'other';
  if (!isSame(before.trailer.get('Info'), after.trailer.get('Info'))) explained.raise('validation_data');
  explained.claim(after.trailer.get('Info'), 'trailer', 'Info');

  const old = entriesOf(before.object(root.number));
  const now = entriesOf(after.object(root.number));
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    if (VALIDATION_DATA.has(key)) explained.claim(now.get(key), root.number, key);
    else if (key !== 'AcroForm' && !isSame(old.get(key), now.get(key))) return 'other';
  }
  explained.explain(root.number);
  const widgets = explainForm({ before, after, changes, explained, root: root.number });
  if (!widgets) return 'other';
  for (const [number, change] of changes) {
    if (isPage(change.before)) explainPage({ before, after, number, explained, widgets });
  }
  if (changes.size > 0) explained.raise('validation_data');
  return explained.gravest;
}

function isSameTrailer(old: ReadonlyMap<string, PdfValue>, now: ReadonlyMap<string, PdfValue>): boolean {
  return [...new Set([...old.keys(), ...now.keys()])].every(
    (key) => OF_THE_FILE.has(key) || isSame(old.get(key), now.get(key)),
  );
}

/** Readers leave out objects whose numbers are not below the size: another size could show some of them, or hide them. */
function isSizedRight({ trailer, entries }: PdfView): boolean {
  const size = trailer.get('Size');
  return (
    typeof size === 'number' && [...entries].every(([number, { kind }]) => kind === 'free' || number < size)
  );
}

function isPage(value: PdfValue | undefined): boolean {
  return nameOf(entriesOf(value).get('Type')) === 'Page';
}
