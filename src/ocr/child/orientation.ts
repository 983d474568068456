import type { ReadLine } from './tsv.ts';

/** How much of a trial reads like text: characters of words of two and more letters or digits, weighted by confidence. */
export function trialScore(lines: readonly ReadLine[]): number {
  let score = 0;
  for (const { words } of lines) {
    for (const { text, confidence } of words) {
      const legible = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
      if (legible >= 2 && confidence >= 60) score += legible * confidence;
    }
  }
  return score;
}
