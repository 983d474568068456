import { DocketError } from '../../errors.ts';

/** One element of a DER or BER encoding; its buffers are views of the bytes it was read from. */
export interface Element {
  /** Class, form and number as one byte, such as 0x30 for a sequence. */
  readonly tag: number;
  /** All of it, tag and length included. */
  readonly bytes: Buffer;
  /** What is inside. */
  readonly content: Buffer;
}

/** Tags that are asked for by name. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Constructed, with a tag of the context: [number]. */
export const context = (number: number): number => 0xa0 | number;

const CONSTRUCTED = 0x20;
const INDEFINITE = 0x80;
/** Deeper than any certificate or signature, and shallow enough for every stack. */
const MAX_DEPTH = 32;
/** More than any list has that is unfolded; lists of revoked certificates are walked. */
const MAX_ELEMENTS = 1000;
const MAX_OID_BYTES = 64;

/** The element that begins at `at`; lengths may be indefinite, as BER allows. */
export function readElement(bytes: Buffer, at = 0, depth = 0): Element {
  const tag = byteAt(bytes, at);
  if ((tag & 0x1f) === 0x1f || depth > MAX_DEPTH) throw unreadable();
  const first = byteAt(bytes, at + 1);
  if (first === INDEFINITE) return readIndefinite(bytes, at, tag, depth);
  const lengthBytes = first & INDEFINITE ? first & 0x7f : 0;
  if (lengthBytes > 4 || at + 2 + lengthBytes > bytes.length) throw unreadable();
  const start = at + 2 + lengthBytes;
  const end = start + (lengthBytes > 0 ? bytes.readUIntBE(at + 2, lengthBytes) : first);
  if (end > bytes.length) throw unreadable();
  return { tag, bytes: bytes.subarray(at, end), content: bytes.subarray(start, end) };
}

/** An element without a stated length ends where two zero bytes stand in the place of an element. */
function readIndefinite(bytes: Buffer, at: number, tag: number, depth: number): Element {
  if ((tag & CONSTRUCTED) === 0) throw unreadable();
  let end = at + 2;
  while (byteAt(bytes, end) !== 0) end += readElement(bytes, end, depth + 1).bytes.length;
  if (byteAt(bytes, end + 1) !== 0) throw unreadable();
  return { tag, bytes: bytes.subarray(at, end + 2), content: bytes.subarray(at + 2, end) };
}

/** The elements inside a constructed one, one after the other. */
export function* walkElements(outer: Element): Generator<Element> {
  for (let at = 0; at < outer.content.length;) {
    const element = readElement(outer.content, at);
    at += element.bytes.length;
    yield element;
  }
}

/** The elements inside a constructed one, as long as they are not absurdly many. */
export function listElements(outer: Element): Element[] {
  const elements: Element[] = [];
  for (const element of walkElements(outer)) {
    if (elements.push(element) > MAX_ELEMENTS) throw unreadable();
  }
  return elements;
}

/** The elements inside a constructed one, each of which says with `take` what it has to be. */
export function readElements(outer: Element): ElementQueue {
  const elements = listElements(outer);
  let next = 0;
  return {
    get rest() {
      return elements.slice(next);
    },
    take(...tags) {
      const element = elements[next];
      if (!element || (tags.length > 0 && !tags.includes(element.tag))) throw unreadable();
      next += 1;
      return element;
    },
    takeIf(...tags) {
      const element = elements[next];
      if (!element || !tags.includes(element.tag)) return null;
      next += 1;
      return element;
    },
  };
}

export interface ElementQueue {
  readonly rest: readonly Element[];
  /** The next element, of one of the tags if any is named; throws otherwise. */
  take(...tags: number[]): Element;
  /** The next element if it has one of the tags. */
  takeIf(...tags: number[]): Element | null;
}

/** Object identifier in dotted numbers. */
export function readOid(element: Element): string {
  if (element.tag !== TAG.oid || element.content.length > MAX_OID_BYTES) throw unreadable();
  const arcs: bigint[] = [];
  let arc = 0n;
  for (const byte of element.content) {
    arc = (arc << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(arc);
      arc = 0n;
    }
  }
  const [first = 0n, ...others] = arcs;
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - root * 40n, ...others].join('.');
}

/** Bytes of an octet string, joined where BER delivers them in pieces. */
export function readOctets(element: Element, depth = 0): Buffer {
  if ((element.tag & CONSTRUCTED) === 0) return element.content;
  if (depth > MAX_DEPTH) throw unreadable();
  const pieces: Buffer[] = [];
  for (const piece of walkElements(element)) pieces.push(readOctets(piece, depth + 1));
  return Buffer.concat(pieces);
}

/** Bytes of a bit string that consists of whole bytes. */
export function readBits(element: Element): Buffer {
  if (element.tag !== TAG.bitString) throw unreadable();
  return element.content.subarray(1);
}

/** A whole number that fits a JavaScript number. */
export function readNumber(element: Element): number {
  if (element.tag !== TAG.integer || element.content.length === 0 || element.content.length > 6)
    throw unreadable();
  return element.content.readIntBE(0, element.content.length);
}

/** UTCTime or GeneralizedTime in UTC, as RFC 5280 has them; fractions of a second as RFC 3161 allows. */
export function readTime(element: Element): Date {
  const text = element.content.toString('latin1');
  const match =
    element.tag === TAG.utcTime
      ? /^()(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)()Z$/.exec(text)
      : /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{1,9}))?Z$/.exec(text);
  if (!match) throw unreadable();
  const [, century = '', year = '', month, day, hour, minute, second, fraction = ''] = match;
  const era = century || (Number(year) < 50 ? '20' : '19');
  const time = new Date(
    `${era}${year}-${month}-${day}T${hour}:${minute}:${second}.${`${fraction}000`.slice(0, 3)}Z`,
  );
  if (Number.isNaN(time.getTime())) throw unreadable();
  return time;
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw unreadable();
  return byte;
}

function unreadable(): DocketError {
  return new DocketError(
    'CORRUPT_ENVELOPE',
    'The bytes are no ASN.1 structure of the kind that is expected.',
  );
}
