import { readDigits } from './damage.ts';

/** Length of the IBANs of each country (SWIFT IBAN Registry). */
const LENGTHS: Readonly<Record<string, number>> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BR: 29,
  BY: 28,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  LY: 25,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MR: 27,
  MT: 31,
  MU: 30,
  NL: 18,
  NO: 15,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  SA: 24,
  SC: 31,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  ST: 25,
  SV: 28,
  TL: 23,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  VG: 24,
  XK: 20,
};

/** Whether country, length and check digits are right (ISO 13616: the rearranged number is 1 modulo 97). */
export function isIban(text: string): boolean {
  const iban = text.replace(/[^\p{L}\d]/gu, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z\d]+$/.test(iban) || LENGTHS[iban.slice(0, 2)] !== iban.length) return false;
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    for (const digit of Number.parseInt(character, 36).toString())
      remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return remainder === 1;
}

/** How many characters an IBAN has that begins so, with a country that may be damaged; undefined where there are none. */
export function ibanLength(beginning: string): number | undefined {
  return LENGTHS[countryOf(beginning)];
}

/** Whether it is an IBAN once damaged digits are read as digits: all of them, or, where the bank code has letters, only the last ones. */
export function isDamagedIban(text: string): boolean {
  const iban = text.replace(/[^\p{L}\d|!]/gu, '');
  const country = countryOf(iban);
  const rest = iban.slice(2);
  return [
    country + rest,
    country + readDigits(rest),
    country + readDigits(rest.slice(0, 2)) + readLetters(rest.slice(2, 6)) + readDigits(rest.slice(6)),
  ].some(isIban);
}

function countryOf(iban: string): string {
  return readLetters(iban.slice(0, 2)).toUpperCase();
}

function readLetters(text: string): string {
  return text
    .replace(/0/g, 'O')
    .replace(/[1|!]/g, 'I')
    .replace(/5/g, 'S')
    .replace(/8/g, 'B')
    .replace(/6/g, 'G');
}
