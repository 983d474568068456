import { DocketError } from '../../../errors.ts';
import type { PdfDictionary, PdfValue } from './pdf-value.ts';

/** Deeper than any program writes, and far from the end of the stack. */
const DEEPEST = 100;
const SPACE = /[\0\t\n\f\r ]/;
const DELIMITER = /[\0\t\n\f\r ()<>[\]{}/%]/;

/**
 * Reads PDF values by the letter: what a lenient reader would guess at is an error here, since another reader might guess
 * otherwise. Throws CORRUPT.
 */
export class PdfParser {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  value(depth = 0): PdfValue {
    if (depth > DEEPEST) throw this.#damage('values lie too deep in each other');
    this.skipSpace();
    switch (this.#peek()) {
      case '/':
        return { kind: 'name', name: this.#name() };
      case '(':
        return this.#literal();
      case '[':
        return this.#array(depth);
      case '<':
        return this.#peek(1) === '<' ? this.dictionary(depth) : this.#hexadecimal();
      default:
        return this.#word();
    }
  }

  dictionary(depth = 0): PdfDictionary {
    const start = this.#at;
    this.expect('<<');
    const entries = new Map<string, PdfValue>();
    for (;;) {
      this.skipSpace();
      if (this.accept('>>')) return { kind: 'dictionary', entries, start, end: this.#at };
      if (this.#peek() !== '/') throw this.#damage('a key of a dictionary is no name');
      const key = this.#name();
      if (entries.has(key)) throw this.#damage('a dictionary has a key twice');
      entries.set(key, this.value(depth + 1));
    }
  }

  /** A number without sign or fraction. */
  integer(): number {
    const start = this.#at;
    while (/\d/.test(this.#peek())) this.#at += 1;
    if (this.#at === start || this.#at - start > 15) throw this.#damage('a number is missing');
    return Number(this.#text(start));
  }

  accept(text: string): boolean {
    if (this.#bytes.toString('latin1', this.#at, this.#at + text.length) !== text) return false;
    this.#at += text.length;
    return true;
  }

  expect(text: string): void {
    if (!this.accept(text)) throw this.#damage(`"${text}" is missing`);
  }

  /** Skips white space and comments. */
  skipSpace(): void {
    for (;;) {
      const char = this.#peek();
      if (char === '%') while (!/^[\r\n]?$/.test(this.#peek())) this.#at += 1;
      else if (SPACE.test(char)) this.#at += 1;
      else return;
    }
  }

  skip(length: number): void {
    this.#at += length;
  }

  /** The character so many after the next; the empty string beyond the end. */
  #peek(after = 0): string {
    const byte = this.#bytes[this.#at + after];
    return byte === undefined ? '' : String.fromCharCode(byte);
  }

  #text(start: number): string {
    return this.#bytes.toString('latin1', start, this.#at);
  }

  #name(): string {
    this.#at += 1;
    return this.#regular().replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }

  #regular(): string {
    const start = this.#at;
    for (let char = this.#peek(); char !== '' && !DELIMITER.test(char); char = this.#peek()) this.#at += 1;
    return this.#text(start);
  }

  #word(): PdfValue {
    const word = this.#regular();
    if (word === 'null') return null;
    if (word === 'true' || word === 'false') return word === 'true';
    if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(word)) throw this.#damage('a value is of no known kind');
    return (/^\d{1,10}$/.test(word) ? this.#reference(Number(word)) : undefined) ?? Number(word);
  }

  /** The rest of a reference after the number of its object, if it is one. */
  #reference(number: number): PdfValue | undefined {
    const rest = this.#bytes.toString('latin1', this.#at, this.#at + 32);
    const found = /^[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+R(?=[\0\t\n\f\r ()<>[\]{}/%]|$)/.exec(rest);
    if (!found) return undefined;
    this.#at += found[0].length;
    return { kind: 'reference', number, generation: Number(found[1]) };
  }

  #array(depth: number): PdfValue {
    const items: PdfValue[] = [];
    this.#at += 1;
    for (;;) {
      this.skipSpace();
      if (this.accept(']')) return items;
      items.push(this.value(depth + 1));
    }
  }

  #hexadecimal(): PdfValue {
    const start = this.#at;
    const end = this.#bytes.indexOf('>', start) + 1;
    this.#at = end;
    const raw = this.#text(start);
    if (end === 0 || !/^<[0-9A-Fa-f\0\t\n\f\r ]*>$/.test(raw))
      throw this.#damage('a string is no hexadecimal');
    return { kind: 'string', raw, start, end };
  }

  #literal(): PdfValue {
    const start = this.#at;
    let open = 0;
    do {
      const char = this.#peek();
      if (char === '') throw this.#damage('a string has no end');
      if (char === '\\') this.#at += 1;
      else if (char === '(') open += 1;
      else if (char === ')') open -= 1;
      this.#at += 1;
    } while (open > 0);
    return { kind: 'string', raw: this.#text(start), start, end: this.#at };
  }

  #damage(what: string): DocketError {
    return new DocketError('CORRUPT', `${what} at byte ${this.#at}`);
  }
}
