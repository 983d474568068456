// Reads tar archives of plain files (POSIX ustar), strictly, from bytes as they come. Nothing is written anywhere.
import { utf8 } from '../domain/utf8.ts';

export interface TarEntry {
  readonly name: string;
  readonly sizeBytes: number;
  /** Its bytes, to be taken before the next entry is asked for; what is left of them is passed over. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

const BLOCK = 512;

/** The files of an archive, in order; folders are passed over. Throws SyntaxError where it is no such archive. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const input = pieceSource(source);
  for (;;) {
    const header = await input.take(BLOCK);
    if (isZero(header)) break;
    const { name, sizeBytes, isFolder } = readHeader(header);
    const pieces = input.pieces(sizeBytes);
    if (!isFolder) yield { name, sizeBytes, pieces };
    await passOver(pieces);
    if (!isZero(await input.take((BLOCK - (sizeBytes % BLOCK)) % BLOCK))) {
      throw new SyntaxError(`there is something between ${name} and the next file`);
    }
  }
  await input.take(BLOCK).then(requireZero);
  for await (const piece of input.rest()) requireZero(piece);
}

/** All bytes of an entry, in one piece. */
export async function wholeOf({
  sizeBytes,
  pieces,
}: Pick<TarEntry, 'sizeBytes' | 'pieces'>): Promise<Uint8Array> {
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for await (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

async function passOver(pieces: AsyncGenerator<Uint8Array>): Promise<void> {
  while ((await pieces.next()).done !== true);
}

function requireZero(bytes: Uint8Array): void {
  if (!isZero(bytes)) throw new SyntaxError('there is something after the end of the archive');
}

function readHeader(header: Uint8Array): { name: string; sizeBytes: number; isFolder: boolean } {
  const text = (from: number, count: number) => {
    const field = header.subarray(from, from + count);
    const end = field.indexOf(0);
    if (end >= 0 && !isZero(field.subarray(end)))
      throw new SyntaxError('a name in the archive goes on after its end');
    return utf8(end < 0 ? field : field.subarray(0, end));
  };
  const octal = (from: number, count: number) => {
    const [, digits] = /^([0-7]+)[ \0]*$/.exec(utf8(header.subarray(from, from + count))) ?? [];
    if (digits === undefined) throw new SyntaxError('a number in the archive is none');
    return Number.parseInt(digits, 8);
  };
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (octal(148, 8) !== sum)
    throw new SyntaxError('a header of the archive was altered, or it is no tar archive');
  const magic = utf8(header.subarray(257, 265));
  if (magic !== 'ustar\u000000' && magic !== 'ustar  \0')
    throw new SyntaxError('the archive is not of the kind ustar');
  const prefix = magic === 'ustar\u000000' ? text(345, 155) : '';
  const name = (prefix === '' ? '' : `${prefix}/`) + text(0, 100);
  const type = header[156];
  if (type !== FILE && type !== FOLDER) throw new SyntaxError(`${name} is no plain file`);
  const sizeBytes = octal(124, 12);
  if (type === FOLDER && sizeBytes > 0) throw new SyntaxError(`the folder ${name} has bytes of its own`);
  return { name, sizeBytes, isFolder: type === FOLDER };
}

const FILE = '0'.charCodeAt(0);
const FOLDER = '5'.charCodeAt(0);

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

function pieceSource(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array();

  /** At most so many bytes, at least one; none at the end. */
  async function some(most: number): Promise<Uint8Array> {
    while (held.length === 0) {
      const next = await iterator.next();
      if (next.done === true) return held;
      held = next.value;
    }
    const piece = held.subarray(0, most);
    held = held.subarray(piece.length);
    return piece;
  }

  async function* pieces(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0;) {
      const piece = await some(left);
      if (piece.length === 0) throw new SyntaxError('the archive ends too early');
      left -= piece.length;
      yield piece;
    }
  }

  return {
    pieces,
    async *rest(): AsyncGenerator<Uint8Array> {
      for (let piece = await some(BLOCK); piece.length > 0; piece = await some(BLOCK)) yield piece;
    },
    take: (count: number) => wholeOf({ sizeBytes: count, pieces: pieces(count) }),
  };
}
