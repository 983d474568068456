import type { Random } from '../random.ts';

/** Invented people: any likeness is chance. Spelt as on papers from many countries, some in capitals. */
const GIVEN = [
  'Maria',
  'Jürgen',
  'Aisha',
  'Tomasz',
  'Oluwaseun',
  'Ingrid',
  'Rafael',
  'Siobhan',
  'Kwame',
  'Elena',
  'Dmitri',
  'Priya',
  'Lars',
  'Fatima',
  'Jean-Pierre',
  'Yuki',
  'Carlos',
  'Niamh',
  'Bartosz',
  'Chloé',
  'Marek',
  'Zoltan',
  'Beatriz',
  'Håkon',
  'Giulia',
  'Ahmed',
  'Wei',
  'Sanne',
  'Pedro',
  'Anneliese',
  'Desmond',
  'Ludmila',
  'Rohan',
  'Mireille',
  'Stefan',
  'Gwendolyn',
] as const;
const FAMILY = [
  'Keller',
  'Oyelaran',
  'Marchetti',
  'Kowalczyk',
  "O'Brien",
  'Nakagawa',
  'van der Berg',
  'Quintero',
  'Lindström',
  'Devereux',
  'Halvorsen',
  'Al-Rashid',
  'Nowak',
  'Fernandes',
  'Hoffmann',
  'Dubois',
  'Patel',
  'Sørensen',
  'Brandt',
  'Castellano',
  'McAllister',
  'Zhang',
  'Bianchi',
  'Papadopoulos',
  'de Groot',
  'Vaszary',
  'Achterberg',
  'Solheim',
  'Iyer',
  'Whitcombe',
  'Mbeki',
  'Tremblay',
] as const;

/** A name as it may be written behind a label. */
export function personName(random: Random): string {
  const given = random.pick(GIVEN);
  const family = random.pick(FAMILY);
  const written = random.pick([
    () => `${given} ${family}`,
    () => `${given} ${family}`,
    () => `${given} ${family}`,
    () => `${given.charAt(0)}. ${family}`,
    () => `${given.charAt(0)}. ${random.pick(['A', 'J', 'M', 'P'])}. ${family}`,
    () => `${family}, ${given}`,
    () =>
      `${random.pick(['Mr', 'Mrs', 'Ms', 'Mr.', 'Herr', 'Frau', 'Capt.'])} ${random.pick([`${given} ${family}`, family])}`,
  ])();
  return random.unit() < 0.3 ? written.toUpperCase() : written;
}

/** Given name and surname, or an initial and a surname. */
export function fullName(random: Random): string {
  const given = random.pick(GIVEN);
  const name = `${random.unit() < 0.3 ? `${given.charAt(0)}.` : given} ${random.pick(FAMILY)}`;
  return random.unit() < 0.3 ? name.toUpperCase() : name;
}

/** An address at a domain that is kept free for examples. */
export function mailAddress(random: Random): string {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .normalize('NFD')
      .replace(/ø/g, 'o')
      .replace(/[^a-z]/g, '');
  const given = plain(random.pick(GIVEN));
  const family = plain(random.pick(FAMILY));
  const local = random.pick([
    `${given}.${family}`,
    `${given.charAt(0)}${family}`,
    `${family}_${given}`,
    `${given}${random.int(1, 99)}`,
  ]);
  const host = random.pick(['northquay', 'baltic-haul', 'ferrum', 'orchard-foods', 'tidewater', 'meridian']);
  return `${local}@${host}.${random.pick(['example', 'example.com', 'example.org', 'example.net'])}`;
}
