import { editDistance } from '../../src/domain/edit-distance.ts';

/** How well a recognised text matches its ground truth, whatever the reading order. */
export interface Score {
  /** Character errors over characters of the ground truth, white space aside; can exceed 1. */
  readonly cer: number;
  /** Tokens with a digit and at least four characters: how many there are, and how many were found exactly. */
  readonly digitTokens: number;
  readonly digitTokensFound: number;
}

const EDGES = /^[|_\-[\]'".,:;]+|[|_[\]'".,:;]+$/g;
const DIGIT_TOKEN_LENGTH = 4;

/**
 * Scores `text` against `truth`. Tables have no single reading order, so tokens are matched one to one: equal ones first,
 * then greedily by edit distance, the longest first. What remains of the truth counts as deleted, what remains of the
 * text as inserted.
 */
export function score(truth: string, text: string): Score {
  const expected = tokens(truth);
  const offered = new Map<string, number>();
  for (const token of tokens(text)) offered.set(token, (offered.get(token) ?? 0) + 1);

  const missed: string[] = [];
  let digitTokens = 0;
  let digitTokensFound = 0;
  for (const token of expected) {
    const counts = /\d/.test(token) && token.length >= DIGIT_TOKEN_LENGTH;
    const left = offered.get(token) ?? 0;
    if (left > 0) offered.set(token, left - 1);
    else missed.push(token);
    if (!counts) continue;
    digitTokens += 1;
    if (left > 0) digitTokensFound += 1;
  }
  const surplus = [...offered].flatMap(([token, count]) => Array.from({ length: count }, () => token));
  const characters = expected.reduce((sum, token) => sum + token.length, 0);
  return { cer: matchGreedily(missed, surplus) / characters, digitTokens, digitTokensFound };
}

/** Typographic variants that no one would call an error are made equal; ruled lines read as punctuation are cut off. */
function tokens(text: string): string[] {
  return text
    .normalize('NFKC')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, '-')
    .split(/\s+/)
    .map((token) => token.replace(EDGES, ''))
    .filter((token) => token !== '');
}

/** The edits that remain between two bags of tokens. `surplus` is used up. */
function matchGreedily(missed: readonly string[], surplus: string[]): number {
  let edits = 0;
  for (const token of [...missed].sort((a, b) => b.length - a.length)) {
    let best = token.length;
    let partner = -1;
    surplus.forEach((candidate, i) => {
      if (Math.abs(candidate.length - token.length) >= best) return;
      const distance = editDistance(token, candidate);
      if (distance >= best) return;
      best = distance;
      partner = i;
    });
    edits += best;
    if (partner >= 0) surplus.splice(partner, 1);
  }
  return edits + surplus.reduce((sum, token) => sum + token.length, 0);
}
