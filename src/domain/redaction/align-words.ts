/** A word with the place where it stands in the text; places are UTF-16 code units. */
export interface PlacedWord<Word> {
  readonly word: Word;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds each word of a page in its text, which is made of them with white space between. From the first word on that does
 * not stand where it should, the words are left out: what they say cannot be judged.
 */
export function alignWords<Word extends readonly [text: string, ...rest: unknown[]]>(
  text: string,
  words: readonly Word[],
): PlacedWord<Word>[] {
  const placed: PlacedWord<Word>[] = [];
  let from = 0;
  for (const word of words) {
    while (/\s/u.test(text.charAt(from))) from += 1;
    if (word[0].trim() === '' || !text.startsWith(word[0], from)) break;
    placed.push({ word, start: from, end: from + word[0].length });
    from += word[0].length;
  }
  return placed;
}
