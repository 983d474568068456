/** A word and where it stands. Its text has no white space. */
export interface PlacedWord {
  readonly text: string;
  readonly box: readonly [x0: number, y0: number, x1: number, y1: number];
}

/** Of a word that occurs so often that there would be more pairs, the first occurrences are paired instead of the nearest. */
const MOST_PAIRS = 2_500;

/**
 * Pairs words of two readings of a page that are the same to the letter, each with one of the other, whatever their order.
 * Of a word that one reading has more often, those are left over that stand farthest from one of the other.
 * Answers how many pairs there are and the words without a partner, in their order.
 */
export function pairWords(
  before: readonly PlacedWord[],
  after: readonly PlacedWord[],
): { kept: number; lost: PlacedWord[]; gained: PlacedWord[] } {
  const inAfter = byText(after);
  const paired = new Set<PlacedWord>();
  let kept = 0;
  for (const [text, words] of byText(before)) {
    const others = inAfter.get(text);
    if (!others) continue;
    kept += Math.min(words.length, others.length);
    for (const word of pair(words, others)) paired.add(word);
  }
  const isAlone = (word: PlacedWord) => !paired.has(word);
  return { kept, lost: before.filter(isAlone), gained: after.filter(isAlone) };
}

function byText(words: readonly PlacedWord[]): Map<string, PlacedWord[]> {
  const groups = new Map<string, PlacedWord[]>();
  for (const word of words) {
    const group = groups.get(word.text);
    if (group) group.push(word);
    else groups.set(word.text, [word]);
  }
  return groups;
}

/** Both partners of each pair. */
function pair(some: readonly PlacedWord[], others: readonly PlacedWord[]): Iterable<PlacedWord> {
  const count = Math.min(some.length, others.length);
  if (some.length === others.length || some.length * others.length > MOST_PAIRS) {
    return [...some.slice(0, count), ...others.slice(0, count)];
  }
  const taken = new Set<PlacedWord>();
  const pairs = some.flatMap((one) => others.map((other) => ({ one, other, apart: apart(one, other) })));
  for (const { one, other } of pairs.sort((a, b) => a.apart - b.apart)) {
    if (taken.has(one) || taken.has(other)) continue;
    taken.add(one).add(other);
  }
  return taken;
}

function apart({ box: a }: PlacedWord, { box: b }: PlacedWord): number {
  return Math.abs(a[0] + a[2] - b[0] - b[2]) + Math.abs(a[1] + a[3] - b[1] - b[3]);
}
