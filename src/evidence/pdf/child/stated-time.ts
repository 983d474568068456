import type { PdfValue } from './pdf-value.ts';
import { isString } from './pdf-value.ts';

const DATE = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z.*|([+-])(\d\d)'?(?:(\d\d)'?)?)$/;

/** The time of signing that a signature dictionary states (M), if it is a whole one with its zone: else it is no time. */
export function readStatedTime(value: PdfValue | undefined): Date | null {
  const text = isString(value) ? textOf(value.raw) : '';
  const [, year, month, day, hour, minute, second, sign, hours = '00', minutes = '00'] =
    DATE.exec(text) ?? [];
  if (year === undefined) return null;
  const zone = sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(time.getTime()) ? null : time;
}

/** The characters of a string of a date; what they cannot be in is no date. */
function textOf(raw: string): string {
  if (raw.startsWith('<')) return Buffer.from(raw.slice(1, -1), 'hex').toString('latin1');
  return raw
    .slice(1, -1)
    .replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    .replace(/\\(.)/g, '$1');
}
