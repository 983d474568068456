import type { Random } from '../random.ts';

/** What OCR makes of characters, seen on degraded pages: by shape, one for one but for the last. */
const CONFUSED: Readonly<Record<string, readonly string[]>> = {
  '0': ['O', 'o', 'Q'],
  '1': ['l', 'I', '|'],
  '2': ['Z'],
  '5': ['S'],
  '6': ['G', 'b'],
  '8': ['B'],
  '9': ['g'],
  O: ['0'],
  o: ['0'],
  l: ['1', 'I', '|'],
  I: ['l', '1'],
  i: ['l', '1'],
  S: ['5'],
  s: ['5'],
  B: ['8'],
  e: ['c'],
  m: ['rn'],
  u: ['v'],
  h: ['b'],
  y: ['v'],
  t: ['f'],
  '@': ['©', '®'],
};
/** Digits that are taken for each other. */
const MISREAD: Readonly<Record<string, string>> = { '3': '8', '8': '3', '1': '7', '5': '6', '0': '8' };

/** The text with one or two characters as OCR may have read them; the same text where none is ever confused. */
export function damage(random: Random, text: string, allow: { misread?: boolean } = {}): string {
  const places = Array.from(text, (_, i) => i).filter((i) => text.charAt(i) in CONFUSED);
  const chosen = new Set(random.sample(places, Math.min(places.length, random.int(1, 2))));
  const isMisread = allow.misread === true && random.unit() < 0.15;
  return Array.from(text, (character, i) => {
    if (!chosen.has(i)) return character;
    if (isMisread && character in MISREAD) return MISREAD[character];
    return random.pick(CONFUSED[character] ?? [character]);
  }).join('');
}
