import { listElements, readElements, readOid, TAG } from './asn1.ts';
import type { Element } from './asn1.ts';

/** Parts of names that have a short form. */
const SHORT: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
};
const UTF8_STRING = 0x0c;
const BMP_STRING = 0x1e;

/** A distinguished name as RFC 4514 writes it, most particular part first. */
export function readName(name: Element): string {
  return listElements(name)
    .map((part) => listElements(part).map(readPart).join('+'))
    .reverse()
    .join(',');
}

function readPart(element: Element): string {
  const fields = readElements(element);
  const type = readOid(fields.take(TAG.oid));
  const text = readText(fields.take());
  return `${SHORT[type] ?? type}=${text.replace(/[,+"\\<>;]|^[ #]| $/g, '\\$&')}`;
}

function readText({ tag, content }: Element): string {
  if (tag === UTF8_STRING) return content.toString('utf8');
  if (tag !== BMP_STRING || content.length % 2 > 0) return content.toString('latin1');
  return Buffer.from(content).swap16().toString('utf16le');
}
