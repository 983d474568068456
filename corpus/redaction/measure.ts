import type { CompiledRules } from '../../src/domain/redaction/rules.ts';
import { MASK, redactPage } from '../../src/domain/redaction/redact-page.ts';
import type { PlantedPage } from './page-writer.ts';

/** So many items were planted, and so many of them are masked whole: every character, and no word of them is left. */
export interface Count {
  planted: number;
  found: number;
}

export interface Measured {
  /** By kind of personal data. */
  readonly recall: Readonly<Record<string, Count>>;
  /** By kind of what must stay readable: how many there were, and how many lost a character. */
  readonly readable: Readonly<Record<string, { shown: number; lost: number }>>;
}

/** What the patterns of a rule set find on planted pages. Regions have no part in it: these pages are no known forms. */
export function measure(rules: CompiledRules, pages: readonly PlantedPage[]): Measured {
  const recall: Record<string, Count> = {};
  const readable: Record<string, { shown: number; lost: number }> = {};
  for (const page of pages) {
    const { text } = redactPage(page, { ...rules, regions: [] }, page.documentKind);
    for (const { kind, start, end } of page.items) {
      const count = (recall[kind] ??= { planted: 0, found: 0 });
      count.planted += 1;
      if (Array.from(text.slice(start, end)).every((shown) => shown === MASK || /\s/u.test(shown)))
        count.found += 1;
    }
    for (const { kind, start, end } of page.decoys) {
      const count = (readable[kind] ??= { shown: 0, lost: 0 });
      count.shown += 1;
      if (text.slice(start, end).includes(MASK)) count.lost += 1;
    }
  }
  return { recall, readable };
}
