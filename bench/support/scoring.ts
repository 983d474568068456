import { isField, plainWord } from '../../src/domain/comparison/plain-word.ts';
import { wordEdits } from '../../src/domain/comparison/word-edits.ts';

/** How well a recognised text matches its ground truth, whatever the reading order. */
export interface Score {
  /** Character errors over characters of the ground truth, white space aside; can exceed 1. */
  readonly cer: number;
  /** Tokens with a digit and at least four characters: how many there are, and how many were found exactly. */
  readonly digitTokens: number;
  readonly digitTokensFound: number;
}

/**
 * Scores `text` against `truth`. Tables have no single reading order, so tokens are matched one to one: equal ones first,
 * then greedily by edit distance, the longest first. What remains of the truth counts as deleted, what remains of the
 * text as inserted. Typographic variants and punctuation at the ends of tokens count as no errors.
 */
export function score(truth: string, text: string): Score {
  const expected = tokens(truth);
  const offered = new Map<string, number>();
  for (const token of tokens(text)) offered.set(token, (offered.get(token) ?? 0) + 1);

  const missed: string[] = [];
  let digitTokens = 0;
  let digitTokensFound = 0;
  for (const token of expected) {
    const left = offered.get(token) ?? 0;
    if (left > 0) offered.set(token, left - 1);
    else missed.push(token);
    if (!isField(token)) continue;
    digitTokens += 1;
    if (left > 0) digitTokensFound += 1;
  }
  const surplus = [...offered].flatMap(([token, count]) => Array.from({ length: count }, () => token));
  const characters = expected.reduce((sum, token) => sum + token.length, 0);
  return { cer: wordEdits(missed, surplus) / characters, digitTokens, digitTokensFound };
}

function tokens(text: string): string[] {
  return text
    .normalize('NFKC')
    .split(/\s+/)
    .map(plainWord)
    .filter((token) => token !== '');
}
