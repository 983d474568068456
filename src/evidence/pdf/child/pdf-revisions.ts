import type { LaterChanges } from '../../signature.ts';
import { endOfAppended } from './appended-section.ts';
import { readSections, sectionEndingAt } from './cross-references.ts';
import type { Section } from './cross-references.ts';
import { graver } from './explained-changes.ts';
import { changesBetween } from './later-changes.ts';
import { PdfView } from './pdf-view.ts';

/** A document with its revisions, as far as its cross-references can be read strictly. */
export interface PdfRevisions {
  /** The last first. */
  readonly sections: readonly Section[];
  /** The document as it is now. */
  readonly view: PdfView;
  /**
   * What was changed after the revision that ends at a byte: whitespace at the end is no change. Undefined where no revision
   * ends there.
   */
  changesAfter(end: number): LaterChanges | undefined;
}

/** Throws CORRUPT. */
export function readRevisions(bytes: Buffer): PdfRevisions {
  const sections = readSections(bytes);
  const views: PdfView[] = [];
  const steps = new Map<number, { readonly kind: LaterChanges; readonly end: number }>();

  /** The document after the revision of a section; most signatures need no other than the last. */
  function viewAt(index: number): PdfView {
    return (views[index] ??= new PdfView(bytes, sections.slice(index)));
  }

  /** What the revision of a section changed of the one before, which ends at `start`. */
  function step(index: number, start: number): { readonly kind: LaterChanges; readonly end: number } {
    const known = steps.get(index);
    if (known) return known;
    const other = { kind: 'other', end: start } as const;
    const section = sections[index];
    if (!section || index + 1 >= sections.length) return other;
    const [after, before] = [viewAt(index), viewAt(index + 1)];
    const found = attempt(other, () => {
      const end = endOfAppended(bytes, start, section, { before, after });
      return end === undefined ? other : { kind: changesBetween(before, after, section), end };
    });
    steps.set(index, found);
    return found;
  }

  return {
    sections,
    view: viewAt(0),
    changesAfter(end) {
      const offset = sectionEndingAt(bytes, end);
      const signed = sections.findIndex((section) => section.offset === offset);
      if (signed < 0 || sections.slice(signed).some((section) => section.offset >= end)) return undefined;
      let kind: LaterChanges = 'none';
      let reached = end;
      for (let index = signed - 1; index >= 0; index -= 1) {
        const next = step(index, reached);
        kind = graver(kind, next.kind);
        if (kind === 'other') return kind;
        reached = next.end;
      }
      return isSpace(bytes, reached) ? kind : 'other';
    },
  };
}

/** Readers look for the last revision in the last kilobyte of the file, and make up one of their own where it is not. */
const MOST_SPACE = 512;

function isSpace(bytes: Buffer, start: number): boolean {
  return bytes.length - start <= MOST_SPACE && /^[\0\t\n\f\r ]*$/.test(bytes.toString('latin1', start));
}

function attempt<T>(otherwise: T, run: () => T): T {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
