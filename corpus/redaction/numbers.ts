import type { Random } from '../random.ts';

/** The check digit that makes digits right by Luhn's formula. */
function luhnDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const doubled = i % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + Math.floor(doubled / 10) + (doubled % 10);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** An invented card number with a right check digit, grouped as on a card. */
export function cardNumber(random: Random): string {
  const amex = random.unit() < 0.2;
  const stem = amex
    ? random.pick(['34', '37']) + random.digits(12)
    : random.pick(['4', '51', '55', '2221', '6011']).padEnd(15, random.digits(14));
  const digits = `${stem}${luhnDigit(stem)}`;
  const gap = random.pick([' ', ' ', '-', '']);
  return amex
    ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)].join(gap)
    : grouped(digits, 4, gap);
}

/** An invented IBAN with right check digits. */
export function iban(random: Random): string {
  const [country, account] = random.pick([
    () => ['DE', random.digits(18)] as const,
    () => ['GB', random.pick(['NWBK', 'BARC', 'LOYD']) + random.digits(14)] as const,
    () => ['NL', random.pick(['ABNA', 'INGB', 'RABO']) + random.digits(10)] as const,
    () => ['FR', random.digits(23)] as const,
    () => ['ES', random.digits(20)] as const,
    () => ['PL', random.digits(24)] as const,
    () => ['BE', random.digits(12)] as const,
  ])();
  const numeric = [...`${account}${country}00`].map((character) => Number.parseInt(character, 36)).join('');
  const check = String(98n - (BigInt(numeric) % 97n)).padStart(2, '0');
  const compact = `${country}${check}${account}`;
  return random.unit() < 0.7 ? grouped(compact, 4, ' ') : compact;
}

/** A telephone number as it is written in some country. */
export function phoneNumber(random: Random): string {
  const d = (count: number): string => random.digits(count);
  return random.pick([
    () => `+49 ${random.pick(['40', '30', '171'])} ${d(3)} ${d(4)}`,
    () => `+49 (0)${random.pick(['40', '421'])} ${d(4)}-${d(3)}`,
    () => `+44 20 7946 0${d(3)}`,
    () => `+1 ${random.int(2, 9)}${d(2)} 555 0${d(3)}`,
    () => `+31-${random.pick(['10', '20'])}-${d(7)}`,
    () => `+33 ${random.int(1, 9)} ${d(2)} ${d(2)} ${d(2)} ${d(2)}`,
    () => `+48 ${random.int(5, 8)}${d(2)} ${d(3)} ${d(3)}`,
    () => `+${random.pick(['45', '46', '351', '971'])}${d(9)}`,
    () => `0049 40 ${d(4)} ${d(3)}`,
    () => `(${random.int(2, 9)}${d(2)}) 555-0${d(3)}`,
    () => `${random.int(2, 9)}${d(2)}-555-0${d(3)}`,
    () => `0${random.pick(['40', '30', '421', '171'])}/${d(6)}${d(1)}`,
    () => `0${random.pick(['20', '161'])} ${d(4)} ${d(4)}`,
  ])();
}

/** Numbers that states give, with the labels that stand before them; some need no label. */
export function nationalId(random: Random): { label: string; number: string } {
  const d = (count: number): string => random.digits(count);
  return random.pick([
    () => {
      const digits = d(8);
      return {
        label: random.pick(['DNI', 'DNI:', 'ID No.']),
        number: `${digits}${'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23]}`,
      };
    },
    () => ({
      label: random.pick(['SSN', 'Social security no.', '']),
      number: `${random.int(101, 665)}-${random.int(10, 99)}-${random.int(1000, 9999)}`,
    }),
    () => ({
      label: random.pick(['National ID', 'National ID no.', 'ID number:', 'Identity card no.']),
      number: `${random.pick(['L', 'T', 'AB'])}${d(8)}`,
    }),
    () => ({ label: 'PESEL', number: d(11) }),
    () => ({ label: 'BSN:', number: d(9) }),
    () => ({
      label: random.pick(['Personal ID no.', 'Personnummer']),
      number: `${random.int(50, 99)}${d(4)}-${d(4)}`,
    }),
    () => ({
      label: 'NI No.',
      number: `QQ ${random.int(10, 99)} ${random.int(10, 99)} ${random.int(10, 99)} C`,
    }),
    () => ({ label: 'Personalausweis Nr.', number: `L${d(2)}X${d(5)}` }),
    () => ({ label: 'Emirates ID', number: `784-19${random.int(60, 99)}-${d(7)}-${d(1)}` }),
  ])();
}

export function passportNumber(random: Random): string {
  const d = (count: number): string => random.digits(count);
  return random.pick([
    () => `C${d(2)}X${d(5)}`,
    () => d(9),
    () => `${random.pick(['AB', 'EK', 'PA'])}${d(7)}`,
    () => `X ${d(7)}`,
  ])();
}

export function licenceNumber(random: Random): string {
  const d = (count: number): string => random.digits(count);
  return random.pick([
    () => `B072${d(3)}E${d(2)}X`,
    () => `${d(5)}/${d(2)}/${d(4)}`,
    () => `D${d(7)}`,
    () => d(10),
    () => `MORGA${d(6)}SM9IJ`,
  ])();
}

export function birthDate(random: Random): string {
  const [year, month, day] = [random.int(1955, 2004), random.int(1, 12), random.int(1, 28)];
  const two = (value: number): string => String(value).padStart(2, '0');
  return random.pick([
    `${two(day)}.${two(month)}.${year}`,
    `${year}-${two(month)}-${two(day)}`,
    `${two(day)}/${two(month)}/${year}`,
    `${day} ${random.pick(['March', 'Oct', 'July', 'Nov'])} ${year}`,
  ]);
}

/** Street, house number, postal code and place; the last two on the next line or on the same. */
export function postalAddress(random: Random): string[] {
  const n = random.int(1, 480);
  const d = (count: number): string => random.digits(count);
  return random.pick([
    () => [
      `${random.pick(['Lotsenkai', 'Am Speicherweg', 'Elbchaussee', 'Große Hafenstraße', 'Bahnhofstr.'])} ${n}`,
      `${random.int(10, 99)}${d(3)} ${random.pick(['Hamburg', 'Bremen', 'Leipzig'])}`,
    ],
    () => [
      `${n} ${random.pick(['Quillback', 'Anvil', 'Old Harbour', 'St. James'])} ${random.pick(['Road', 'Street', 'Close', 'Lane', 'Avenue'])}`,
      random.pick(['Bristol BS11 9XQ', 'Leeds LS10 4ZW', 'London E14 5AB']),
    ],
    () => [
      `${n} ${random.pick(['Pelican', 'Harbor View', 'N. Terminal'])} ${random.pick(['Ave', 'Blvd', 'Drive', 'Street'])}`,
      `${random.pick(['Tacoma, WA', 'Newark, NJ', 'Savannah GA'])} ${random.int(10, 99)}${d(3)}`,
    ],
    () => [
      `${random.pick(['Schelpweg', 'Maaskade', 'Prinses Irenestraat'])} ${n}`,
      `${random.int(1000, 9999)} ${random.pick(['KN', 'BX', 'JD'])} ${random.pick(['Rotterdam', 'Utrecht'])}`,
    ],
    () => [
      `${random.int(2, 90)} ${random.pick(['rue des Docks', 'avenue de la République', 'quai Voltaire'])}`,
      `${random.int(10, 95)}${d(3)} ${random.pick(['Le Havre', 'Marseille', 'Lyon'])}`,
    ],
    () => [
      `${random.pick(['Calle del Puerto', 'Avenida de los Cedros'])} ${n}`,
      `${random.int(10, 52)}${d(3)} ${random.pick(['Valencia', 'Bilbao'])}`,
    ],
    () => [
      `${random.pick(['Kovarska', 'Sagverksgatan', 'Via Garibaldi', 'ul. Portowa'])} ${n}`,
      `${random.int(10, 99)}${d(3)} ${random.pick(['Ostrava', 'Gavle', 'Genova'])}`,
    ],
    () => [`P.O. Box ${random.int(100, 9999)}`],
  ])();
}

function grouped(text: string, size: number, gap: string): string {
  return (text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(gap);
}
