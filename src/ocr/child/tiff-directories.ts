import { DocketError } from '../../errors.ts';
import type { ByteSource } from './byte-source.ts';

/** One image of a TIFF, as its directory describes it. */
export interface TiffDirectory {
  /** Place in the chain, from 0: what a decoder calls the page. */
  readonly index: number;
  /** Pixels as stored, before the orientation tag. */
  readonly width: number;
  readonly height: number;
  readonly bitsPerSample: number;
  readonly samples: number;
  readonly compression: number;
  /** 1: unsigned integers, the only kind that pictures of paper have. */
  readonly sampleFormat: number;
  /** 1..8 as in EXIF. */
  readonly orientation: number;
  /** A thumbnail or a mask of another image, not a page. */
  readonly auxiliary: boolean;
  readonly resolution: { readonly x: number; readonly y: number } | undefined;
  /** The first byte after the last strip or tile. */
  readonly end: number;
}

interface Layout {
  readonly little: boolean;
  readonly big: boolean;
}

type Values = ReadonlyMap<number, readonly number[]>;

/** Bytes of each field type; types not listed are skipped. */
const TYPE_SIZES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 5: 8, 13: 4, 16: 8, 18: 8 };
const MOST_VALUES = 1_000_000;
const WANTED = new Set([254, 256, 257, 258, 259, 273, 274, 277, 279, 282, 283, 296, 324, 325, 339]);

/**
 * Follows the chain of directories of a (Big)TIFF. Throws TRUNCATED where a directory or its pixels lie beyond the end of
 * the file, CORRUPT where the chain bites its tail or an image has no size, TOO_MANY_PAGES beyond `most` directories.
 */
export async function readTiffDirectories(source: ByteSource, most: number): Promise<TiffDirectory[]> {
  const head = await source.read(0, 16);
  const little = head.toString('latin1', 0, 2) === 'II';
  const big = head.length >= 4 && readNumber(head, 2, 2, little) === 43;
  if (head.length < (big ? 16 : 8)) throw new DocketError('TRUNCATED', 'the TIFF ends within its header');
  const layout = { little, big };
  const directories: TiffDirectory[] = [];
  const seen = new Set<number>();
  let offset = big ? readNumber(head, 8, 8, little) : readNumber(head, 4, 4, little);
  while (offset !== 0) {
    if (seen.has(offset)) throw new DocketError('CORRUPT', 'the chain of TIFF directories is a loop');
    if (directories.length >= most) {
      throw new DocketError('TOO_MANY_PAGES', `the TIFF has more than ${most} images`, {
        data: { limit: most },
      });
    }
    seen.add(offset);
    const { values, next } = await readDirectory(source, offset, layout);
    directories.push(describe(directories.length, values));
    offset = next;
  }
  return directories;
}

async function readDirectory(
  source: ByteSource,
  offset: number,
  layout: Layout,
): Promise<{ values: Values; next: number }> {
  const { little, big } = layout;
  const countSize = big ? 8 : 2;
  const entrySize = big ? 20 : 12;
  const pointerSize = big ? 8 : 4;
  const countBytes = await source.read(offset, countSize);
  if (countBytes.length < countSize) throw beyondEnd('a directory', offset, source.size);
  const count = readNumber(countBytes, 0, countSize, little);
  if (count === 0 || count > 4096)
    throw new DocketError('CORRUPT', `a TIFF directory claims ${count} entries`);
  const table = await source.read(offset + countSize, count * entrySize + pointerSize);
  if (table.length < count * entrySize) throw beyondEnd('a directory', offset, source.size);
  const values = new Map<number, readonly number[]>();
  for (let i = 0; i < count; i += 1) {
    const entry = table.subarray(i * entrySize, (i + 1) * entrySize);
    const tag = readNumber(entry, 0, 2, little);
    if (WANTED.has(tag)) values.set(tag, await readValues(source, entry, layout));
  }
  // Old writers leave the pointer out after the last directory when the file ends there.
  const next =
    table.length < count * entrySize + pointerSize
      ? 0
      : readNumber(table, count * entrySize, pointerSize, little);
  return { values, next };
}

async function readValues(source: ByteSource, entry: Buffer, { little, big }: Layout): Promise<number[]> {
  const type = readNumber(entry, 2, 2, little);
  const size = TYPE_SIZES[type];
  const count = readNumber(entry, 4, big ? 8 : 4, little);
  if (size === undefined) return [];
  if (count > MOST_VALUES) throw new DocketError('CORRUPT', `a TIFF field claims ${count} values`);
  const inline = entry.subarray(big ? 12 : 8);
  const length = size * count;
  let bytes = inline;
  if (length > inline.length) {
    const offset = readNumber(inline, 0, inline.length, little);
    bytes = await source.read(offset, length);
    if (bytes.length < length) throw beyondEnd('a field', offset, source.size);
  }
  const values: number[] = [];
  for (let i = 0; i < count; i += 1) {
    if (type === 5) {
      const denominator = readNumber(bytes, i * 8 + 4, 4, little);
      values.push(denominator === 0 ? 0 : readNumber(bytes, i * 8, 4, little) / denominator);
    } else values.push(readNumber(bytes, i * size, size, little));
  }
  return values;
}

function describe(index: number, values: Values): TiffDirectory {
  const first = (tag: number, fallback: number): number => values.get(tag)?.[0] ?? fallback;
  const width = first(256, 0);
  const height = first(257, 0);
  if (width === 0 || height === 0) throw new DocketError('CORRUPT', `TIFF image ${index + 1} has no size`);
  const unit = first(296, 2);
  const perInch = unit === 3 ? 2.54 : 1;
  const x = first(282, 0) * perInch;
  const y = first(283, 0) * perInch;
  const orientation = first(274, 1);
  return {
    index,
    width,
    height,
    bitsPerSample: first(258, 1),
    samples: first(277, 1),
    compression: first(259, 1),
    sampleFormat: first(339, 1),
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    // Bit 0: a reduced version of another image; bit 2: a transparency mask.
    auxiliary: (first(254, 0) & 0b101) !== 0,
    resolution: unit !== 1 && x > 0 && y > 0 ? { x, y } : undefined,
    end: Math.max(endOf(values, 273, 279), endOf(values, 324, 325)),
  };
}

function endOf(values: Values, offsetsTag: number, countsTag: number): number {
  const offsets = values.get(offsetsTag) ?? [];
  const counts = values.get(countsTag) ?? [];
  let end = 0;
  offsets.forEach((offset, i) => (end = Math.max(end, offset + (counts[i] ?? 0))));
  return end;
}

function readNumber(bytes: Buffer, offset: number, size: number, little: boolean): number {
  if (size === 1) return bytes.readUInt8(offset);
  if (size === 2) return little ? bytes.readUInt16LE(offset) : bytes.readUInt16BE(offset);
  if (size === 4) return little ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset);
  return Number(little ? bytes.readBigUInt64LE(offset) : bytes.readBigUInt64BE(offset));
}

function beyondEnd(what: string, offset: number, size: number): DocketError {
  return new DocketError('TRUNCATED', `${what} of the TIFF lies beyond the end of the file`, {
    data: { offset, size },
  });
}
