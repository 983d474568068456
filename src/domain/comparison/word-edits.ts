// How many characters lie between two bags of words, whatever their order: what CER counts, here and in the benches.
import { distancesFrom } from './distances-from.ts';

/** Steps of work for one comparison, each a few nanoseconds: so many are spent where everything differs on thousands of words. */
const MOST_STEPS = 20_000_000;

interface Candidate {
  readonly text: string;
  readonly place: number;
  readonly letters: number;
}

/**
 * The characters (UTF-16 code units) to insert, delete and replace to come from the words of `missed` to those of `surplus`,
 * white space aside. Words are matched one to one, greedily by edit distance, the longest of `missed` first and with the first of
 * the nearest; a word that has nothing in common with any counts whole, as do those that are left over. Beyond `mostSteps` of work
 * words count whole that might have found a partner, so that the answer is never too low.
 */
export function wordEdits(
  missed: readonly string[],
  surplus: readonly string[],
  mostSteps = MOST_STEPS,
): number {
  const left = byLength(surplus);
  const stepsEach = mostSteps / missed.length;
  let steps = 0;
  let edits = 0;
  for (const word of [...missed].sort((a, b) => b.length - a.length)) {
    steps += stepsEach;
    const nearest = nearestOf(word, left, steps);
    steps = nearest.stepsLeft;
    edits += nearest.distance;
    if (nearest.candidate) takeOut(left, nearest.candidate);
  }
  for (const candidates of left) for (const { text } of candidates ?? []) edits += text.length;
  return edits;
}

function byLength(words: readonly string[]): (Candidate[] | undefined)[] {
  const candidates: (Candidate[] | undefined)[] = [];
  words.forEach((text, place) => {
    (candidates[text.length] ??= []).push({ text, place, letters: lettersOf(text) });
  });
  return candidates;
}

/** Looks at those of the same length first, then at ever longer and shorter ones, as long as they could be nearer. */
function nearestOf(
  word: string,
  left: readonly (Candidate[] | undefined)[],
  mostSteps: number,
): { distance: number; candidate: Candidate | undefined; stepsLeft: number } {
  const letters = lettersOf(word);
  const distanceTo = distancesFrom(word);
  let distance = word.length;
  let nearest: Candidate | undefined;
  let stepsLeft = mostSteps;
  for (let apart = 0; apart <= distance; apart += 1) {
    for (const length of apart === 0 ? [word.length] : [word.length - apart, word.length + apart]) {
      for (const candidate of left[length] ?? []) {
        if (stepsLeft <= 0) return { distance, candidate: nearest, stepsLeft };
        stepsLeft -= 1;
        // of two that are equally near, the first
        const most = nearest && candidate.place < nearest.place ? distance : distance - 1;
        if (leastDistance(letters, candidate.letters) > most) continue;
        const price = word.length <= 32 ? length : word.length * length;
        if (price > stepsLeft) continue;
        stepsLeft -= price;
        const found = distanceTo(candidate.text, most);
        if (found > most) continue;
        distance = found;
        nearest = candidate;
      }
    }
  }
  return { distance, candidate: nearest, stepsLeft };
}

function takeOut(left: (Candidate[] | undefined)[], candidate: Candidate): void {
  const candidates = left[candidate.text.length];
  candidates?.splice(candidates.indexOf(candidate), 1);
}

/** Which characters a word has, as a set of 32 of which each stands for many. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i += 1) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

/** Every character that only one of them has takes at least one edit; one edit can do away with one of each. */
function leastDistance(a: number, b: number): number {
  return Math.max(count(a & ~b), count(b & ~a));
}

function count(bits: number): number {
  let left = bits - ((bits >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return (((left + (left >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
