// Check digits of numbers that states give to people. Each takes the bare number.

/** Spain: DNI (8 digits and a letter) and NIE (X, Y or Z, 7 digits and a letter). */
export function isDni(text: string): boolean {
  const [, first = '', digits = '', letter = ''] =
    /^([XYZ]?)(\d{7,8})([A-Z])$/.exec(text.toUpperCase()) ?? [];
  if ((first + digits).length !== 8) return false;
  const prefix = first === '' ? '' : String('XYZ'.indexOf(first));
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(prefix + digits) % 23] === letter;
}

/** Poland: PESEL, 11 digits. */
export function isPesel(text: string): boolean {
  return /^\d{11}$/.test(text) && weighted(text, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
}

/** Netherlands: burgerservicenummer, 9 digits. */
export function isBsn(text: string): boolean {
  return /^\d{9}$/.test(text) && Number(text) > 0 && weighted(text, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
}

/** China: resident identity number, 17 digits and a check character (ISO 7064 MOD 11-2). */
export function isResidentIdentity(text: string): boolean {
  if (!/^\d{17}[\dXx]$/.test(text)) return false;
  const sum = weighted(text.slice(0, 17), [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
  return '10X98765432'[sum % 11] === text.slice(17).toUpperCase();
}

/** Italy: codice fiscale, 16 characters. */
export function isCodiceFiscale(text: string): boolean {
  const code = text.toUpperCase();
  if (!/^[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]$/.test(code)) return false;
  let sum = 0;
  for (let i = 0; i < 15; i += 1) {
    const value = Number.parseInt(code[i] ?? '', 36);
    const place = value > 9 ? value - 10 : value;
    sum += i % 2 === 0 ? (ODD_PLACES[place] ?? 0) : place;
  }
  return String.fromCharCode(65 + (sum % 26)) === code[15];
}

/** Values of the characters at odd places of a codice fiscale, for 0 or A, 1 or B and so on. */
const ODD_PLACES = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);
}
