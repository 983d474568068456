const EDGES = /^[|_\-[\]'".,:;]+|[|_[\]'".,:;]+$/g;
const FIELD_LENGTH = 4;

/**
 * A word without what no one would call a difference: typographic variants are made equal, punctuation at its ends is cut off
 * (ruled lines are read as such). Empty where nothing is left.
 */
export function plainWord(word: string): string {
  return word
    .normalize('NFKC')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(EDGES, '');
}

/** Numbers, dates, weights: what a dispute turns on. Of a plain word: it has a digit, and at least four characters. */
export function isField(plain: string): boolean {
  return plain.length >= FIELD_LENGTH && /\d/.test(plain);
}
