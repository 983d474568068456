import type { Span } from './person-names.ts';
import { plainText } from './plain-text.ts';
import type { CompiledRules, PatternRule } from './rules.ts';

/** A part of a text that a rule masks; places are UTF-16 code units. */
export interface FoundSpan extends Span {
  readonly rule: string;
  readonly reason: string;
}

/**
 * What the patterns of a rule set find in a text of a kind of document, in order of place. A span that lies within another
 * one of the same reason is left out; spans of different reasons may overlap.
 */
export function findSpans(text: string, rules: CompiledRules, documentKind: string): FoundSpan[] {
  const plain = plainText(text);
  const found = rules.patterns
    .filter((rule) => rule.documentKind === null || rule.documentKind === documentKind)
    .flatMap((rule) => spansOf(plain.text, rule))
    .map((span) => ({ ...span, ...plain.toRead(span.start, span.end) }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  return found.filter(
    (span, i) =>
      !found.some(
        (other, k) =>
          k !== i &&
          other.reason === span.reason &&
          other.start <= span.start &&
          span.end <= other.end &&
          (other.end - other.start > span.end - span.start || k < i),
      ),
  );
}

function spansOf(text: string, { rule, reason, pattern, validate }: PatternRule): FoundSpan[] {
  const spans: FoundSpan[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [start, end] = match.indices?.groups?.['value'] ?? match.indices?.[0] ?? [0, 0];
    const value = text.slice(start, end);
    const parts = validate === undefined ? [{ start: 0, end: value.length }] : validate(value);
    for (const part of parts) {
      const span = trimmed(text, start + part.start, start + part.end);
      if (span.start < span.end) spans.push({ rule, reason, ...span });
    }
    // What was refused may hide another match that begins within it.
    const last = parts.at(-1);
    pattern.lastIndex = last === undefined ? match.index + 1 : Math.max(match.index + 1, start + last.end);
  }
  return spans;
}

function trimmed(text: string, start: number, end: number): Span {
  const value = text.slice(start, end);
  return wholeWords(
    text,
    start + (value.length - value.trimStart().length),
    end - (value.length - value.trimEnd().length),
  );
}

/** Half a word may be enough to know the other half. */
function wholeWords(text: string, start: number, end: number): Span {
  let [from, to] = [start, end];
  while (from > 0 && isJoined(text, from)) from -= 1;
  while (to < text.length && isJoined(text, to)) to += 1;
  return { start: from, end: to };
}

/** Whether letters or digits stand on both sides of a place. */
function isJoined(text: string, place: number): boolean {
  return /^[\p{L}\p{M}\d]{2}$/u.test(text.slice(place - 1, place + 1));
}
