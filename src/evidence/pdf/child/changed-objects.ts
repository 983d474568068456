import type { Section } from './cross-references.ts';
import type { Referrers } from './object-referrers.ts';
import type { PdfView } from './pdf-view.ts';
import type { PdfValue } from './pdf-value.ts';
import { isContainer, isSame } from './pdf-value.ts';

/** What a revision made of one object. */
export interface ObjectChange {
  /** Undefined where there was no such object. */
  readonly before: PdfValue | undefined;
  readonly after: PdfValue;
}

/**
 * Every object that a revision added or changed. Objects that only hold others, or cross-references, are left out where they
 * are new and nothing led to them before.
 */
export function findChangedObjects(
  section: Section,
  before: PdfView,
  after: PdfView,
  referrers: Referrers,
): ReadonlyMap<number, ObjectChange> {
  const changes = new Map<number, ObjectChange>();
  for (const number of section.entries.keys()) {
    const existed = (before.entries.get(number)?.kind ?? 'free') !== 'free';
    if (!existed && after.entries.get(number)?.kind === 'free') continue;
    const change = { before: existed ? before.object(number) : undefined, after: after.object(number) };
    const onlyHolds = !existed && isContainer(change.after) && !referrers.has(number);
    if (isSame(change.before, change.after) || onlyHolds) continue;
    changes.set(number, change);
  }
  return changes;
}
