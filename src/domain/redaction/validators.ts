import { isStreet, placesIn } from './addresses.ts';
import { digitsOf, readDigits } from './damage.ts';
import { ibanLength, isDamagedIban } from './iban.ts';
import { isBsn, isCodiceFiscale, isDni, isPesel, isResidentIdentity } from './identity-numbers.ts';
import { isCardNumber } from './luhn.ts';
import { leadingName, namesIn } from './person-names.ts';
import type { Span } from './person-names.ts';

/** Looks at what a pattern found and says which parts of it are really what the rule looks for; none if it is not. */
export type Validator = (value: string) => readonly Span[];

/** The validators by the names under which rules cite them. What one does never changes; another one gets a new name. */
export const VALIDATORS: Readonly<Record<string, Validator>> = {
  /** The longest beginning that is the number of a payment card. */
  card: longest(isCardNumber, (value) => endsAfterDigits(value, 13, 19)),
  /** The longest beginning with at least ten digits, and more digits than letters. */
  digits: longest(hasManyDigits, (value) => endsAfterDigits(value, 10, 19)),
  /** An IBAN with right check digits. */
  iban: longest((text) => hasManyDigits(text) && isDamagedIban(text), ibanEnds),
  /** An IBAN by its country and length alone. */
  iban_shape: longest(hasManyDigits, ibanEnds),
  phone: whole(isPhoneNumber),
  /** The name of a person at the beginning; one word is enough. */
  person: (value) => optional(leadingName(value)),
  /** The name of a person at the beginning: two words, or one with a title. */
  full_person: (value) => optional(namesIn(value).find(({ start }) => value.slice(0, start).trim() === '')),
  /** Names of people anywhere: two words at least, or one with a title. */
  people: namesIn,
  /** A number with the check digit of one of the states that are known. */
  national_id: whole(isNationalId),
  /** The words with digits at the beginning, with four digits at least. */
  code: leadingCode,
  street: whole(isStreet),
  /** Postal codes with their places, anywhere. */
  places: placesIn,
  has_digit: whole((value) => /\d/.test(value)),
};

function whole(isOne: (value: string) => boolean): Validator {
  return (value) => (isOne(value) ? [{ start: 0, end: value.length }] : []);
}

/** Accepts the first of the beginnings that `ends` proposes that is one. */
function longest(isOne: (value: string) => boolean, ends: (value: string) => readonly number[]): Validator {
  return (value) => {
    const end = ends(value).find((candidate) => isOne(value.slice(0, candidate)));
    return end === undefined ? [] : [{ start: 0, end }];
  };
}

function optional(span: Span | undefined): readonly Span[] {
  return span === undefined ? [] : [span];
}

/** The places after so many digits, most first, where no further digit follows at once. */
function endsAfterDigits(value: string, fewest: number, most: number): number[] {
  const ends: number[] = [];
  let seen = 0;
  for (let i = 0; i < value.length && seen < most; i += 1) {
    if (digitsOf(value.charAt(i)) === '') continue;
    seen += 1;
    if (seen >= fewest && digitsOf(value.charAt(i + 1)) === '') ends.unshift(i + 1);
  }
  return ends;
}

function leadingCode(value: string): readonly Span[] {
  let end = 0;
  for (const match of value.matchAll(/\S+/gu)) {
    const token = match[0];
    const isInitials = /^\p{Lu}{1,2}[-.]?$/u.test(token);
    const isDigits = (token.match(/\d/g)?.length ?? 0) >= 2 || /^[\dOQDIlSZBGb|!]{1,3}$/.test(token);
    const digits = digitsOf(value.slice(0, end)).length;
    const isNextLine = value.slice(end, match.index).includes('\n');
    if (!(isInitials || isDigits) || (isNextLine && digits >= 6)) break;
    end = match.index + token.replace(/[,;.:]+$/u, '').length;
    if (/[,;]$/.test(token)) break;
  }
  const code = value.slice(0, end);
  return digitsOf(code).length >= 4 && /\d{2}/.test(code) ? [{ start: 0, end }] : [];
}

function hasManyDigits(value: string): boolean {
  return digitsOf(value).length >= 10 && hasMoreDigitsThanLetters(value);
}

/** Where an IBAN ends that begins the value: after as many letters and digits as its country has. */
function ibanEnds(value: string): number[] {
  const wanted = ibanLength(value);
  if (wanted === undefined) return [];
  let seen = 0;
  for (let i = 0; i < value.length; i += 1) {
    if (/[\p{L}\d|!]/u.test(value[i] ?? '')) seen += 1;
    if (seen === wanted) return [i + 1];
  }
  return [];
}

/** 7 to 15 digits (ITU-T E.164 allows no more), not all the same, and no date. */
function isPhoneNumber(value: string): boolean {
  const digits = digitsOf(value);
  if (digits.length < 7 || digits.length > 15 || /^(\d)\1+$/.test(digits)) return false;
  return !isDate(readDigits(value)) && hasMoreDigitsThanLetters(value);
}

function isDate(value: string): boolean {
  return /^\D*(?:\d{4}[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d\d)\D*$/.test(value);
}

function hasMoreDigitsThanLetters(value: string): boolean {
  return (value.match(/\d/g)?.length ?? 0) >= (value.match(/\p{L}/gu)?.length ?? 0);
}

/** A number with a check digit of one of the states that are known. */
function isNationalId(value: string): boolean {
  const bare = value.replace(/[^\p{L}\d]/gu, '').toUpperCase();
  const digits = readDigits(bare);
  return (
    isDni(bare) || isCodiceFiscale(bare) || [isPesel, isBsn, isResidentIdentity].some((is) => is(digits))
  );
}
