import type { Random } from './random.ts';

/** Owner prefixes invented for these papers; the fourth letter U marks a freight container. */
const OWNERS = ['QXDU', 'VLNU', 'ZKRU', 'XQTU', 'JQPU'];

/** The value of a letter in ISO 6346: counted from A = 10, leaving out every multiple of eleven. */
function letterValue(letter: string): number {
  const position = letter.charCodeAt(0) - 65;
  return 10 + position + Math.floor((position + 9) / 10);
}

/** The check digit (0 to 10) of four letters and six digits by ISO 6346; 10 is a number the standard advises against. */
export function containerCheckDigit(ownerAndSerial: string): number {
  let sum = 0;
  let weight = 1;
  for (const character of ownerAndSerial) {
    sum += weight * (character >= 'A' ? letterValue(character) : Number(character));
    weight *= 2;
  }
  return sum % 11;
}

/** An invented container number whose check digit is right, such as QXDU1234567. */
export function containerNumber(random: Random): string {
  for (;;) {
    const stem = random.pick(OWNERS) + random.digits(6);
    const digit = containerCheckDigit(stem);
    if (digit < 10) return `${stem}${digit}`;
  }
}
