import { digitsOf } from './damage.ts';

/** Whether the last digit is the check digit of the others by Luhn's formula (ISO/IEC 7812-1, annex B). */
export function isLuhn(digits: string): boolean {
  if (!/^\d{2,}$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** First digits of the numbers that the card schemes issue, and how many digits such numbers have. */
const SCHEMES: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:36|38|39|30[0-5])/, [14, 16]],
  [/^(?:6011|64[4-9]|65|62)/, [16, 17, 18, 19]],
  [/^35(?:2[89]|[3-8])/, [16]],
  [/^(?:5018|5020|5038|6304|6759|676[1-3])/, [13, 14, 15, 16, 17, 18, 19]],
];

/** Whether it is a number as payment cards have them: of a known scheme, of its length, with a right check digit. */
export function isCardNumber(text: string): boolean {
  const digits = digitsOf(text);
  return (
    isLuhn(digits) &&
    SCHEMES.some(([first, lengths]) => first.test(digits) && lengths.includes(digits.length))
  );
}
