import type { LaterChanges } from '../../signature.ts';
import type { ObjectChange } from './changed-objects.ts';
import { place } from './object-referrers.ts';
import type { Referrers } from './object-referrers.ts';
import type { PdfView } from './pdf-view.ts';
import type { PdfValue } from './pdf-value.ts';
import { isReference, referencesIn } from './pdf-value.ts';

const ORDER: readonly LaterChanges[] = ['none', 'validation_data', 'signatures', 'form_filling', 'other'];

/** The graver of two kinds of changes. */
export function graver(a: LaterChanges, b: LaterChanges): LaterChanges {
  return ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b;
}

/**
 * Keeps which changed objects are accounted for. What nobody explains in the end is a change of an unknown kind, and so is a new
 * object that the document referred to before it was there: what that shows was left open when it was signed.
 */
export class ExplainedChanges {
  readonly #changes: ReadonlyMap<number, ObjectChange>;
  readonly #before: PdfView;
  readonly #referrers: Referrers;
  readonly #explained = new Set<number>();
  #gravest: LaterChanges = 'none';

  /** `before`: the document without the changes; `referrers`: of that. */
  constructor(changes: ReadonlyMap<number, ObjectChange>, before: PdfView, referrers: Referrers) {
    this.#changes = changes;
    this.#before = before;
    this.#referrers = referrers;
  }

  get gravest(): LaterChanges {
    const isExplained = (number: number): boolean =>
      this.#explained.has(number) && !(this.isNew(number) && this.#referrers.has(number));
    return [...this.#changes.keys()].every(isExplained) ? this.#gravest : 'other';
  }

  raise(kind: LaterChanges): void {
    this.#gravest = graver(this.#gravest, kind);
  }

  isNew(number: number): boolean {
    const change = this.#changes.get(number);
    return change !== undefined && change.before === undefined;
  }

  /** The object changed only in a way that is harmless wherever it is used. */
  explain(number: number): void {
    this.#explained.add(number);
  }

  /** Accounts for the object that a value refers to, but not for what that leads to, if only this entry led to it. */
  explainHeld(value: PdfValue | undefined, holder: number, key: string): void {
    if (!isReference(value) || !this.#changes.has(value.number)) return;
    if (this.#areAll(value.number, (referrer) => referrer === place(holder, key))) this.explain(value.number);
  }

  /**
   * Accounts for all that an entry leads to: new objects, and changed ones that nothing but this entry led to before. A
   * changed object that is used elsewhere too stays unexplained. Answers whether there was anything.
   */
  claim(value: PdfValue | undefined, holder: number | 'trailer', key: string): boolean {
    const owned = new Set<number>();
    const leadsHere = (referrer: string): boolean =>
      referrer === place(holder, key) || owned.has(Number.parseInt(referrer, 10));
    this.#follow(value, owned, (number) => this.#areAll(number, leadsHere));
    return [...owned].some((number) => this.#changes.has(number));
  }

  /** Accounts for all new objects that a value leads to. */
  claimNew(value: PdfValue | undefined): void {
    this.#follow(value, new Set(), () => false);
  }

  #areAll(number: number, test: (referrer: string) => boolean): boolean {
    return [...(this.#referrers.get(number) ?? [])].every(test);
  }

  /** Follows references through objects that are new, or that existed and may be owned. */
  #follow(value: PdfValue | undefined, owned: Set<number>, mayBeOwned: (number: number) => boolean): void {
    const waiting = [...referencesIn(value)];
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      if (owned.has(number) || (!this.isNew(number) && !mayBeOwned(number))) continue;
      const change = this.#changes.get(number);
      owned.add(number);
      if (change) this.#explained.add(number);
      waiting.push(...referencesIn(change ? change.after : this.#before.object(number)));
    }
  }
}
