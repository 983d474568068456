import { editDistance } from '../edit-distance.ts';

/** For each UTF-16 code unit the places at which the word has it, one bit each. All zero but while there is a word. */
const placesOf = new Uint32Array(65_536);
let current = '';

/**
 * Edit distances from one word to many, each as editDistance gives it. Of words up to 32 characters by Myers' bit vectors (in the
 * form of Hyyrö 2003), a column in one step. The answer holds until the function is called for another word.
 */
export function distancesFrom(word: string): (other: string, most: number) => number {
  if (word.length === 0 || word.length > 32) return (other, most) => editDistance(word, other, most);
  for (let i = 0; i < current.length; i += 1) placesOf[current.charCodeAt(i)] = 0;
  for (let i = 0; i < word.length; i += 1)
    placesOf[word.charCodeAt(i)] = (placesOf[word.charCodeAt(i)] ?? 0) | (1 << i);
  current = word;
  const last = 1 << (word.length - 1);
  return (other, most) => {
    let risesDown = -1;
    let fallsDown = 0;
    let distance = word.length;
    for (let j = 0; j < other.length; j += 1) {
      const equal = (placesOf[other.charCodeAt(j)] ?? 0) | fallsDown;
      const diagonal = (((equal & risesDown) + risesDown) ^ risesDown) | equal;
      const fallsAcross = risesDown & diagonal;
      const risesAcross = fallsDown | ~(risesDown | diagonal);
      if (risesAcross & last) distance += 1;
      else if (fallsAcross & last) distance -= 1;
      // each character that is left takes off one at most
      if (distance - (other.length - 1 - j) > most) return most + 1;
      const shifted = (risesAcross << 1) | 1;
      fallsDown = shifted & diagonal;
      risesDown = (fallsAcross << 1) | ~(shifted | diagonal);
    }
    return distance;
  };
}
