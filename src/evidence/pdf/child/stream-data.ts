import { inflateSync } from 'node:zlib';
import { DocketError } from '../../../errors.ts';
import type { PdfStream, PdfValue } from './pdf-value.ts';
import { entriesOf, isArray, nameOf } from './pdf-value.ts';

/** More than the objects of any document take; a stream that unpacks to more is a bomb. */
const LARGEST = 128 * 1024 * 1024;

/** Unpacks a stream of objects or cross-references, as far as these are packed in practice. Throws CORRUPT. */
export function unpackStream({ dictionary, data }: PdfStream): Buffer {
  const filters = oneOrMore(dictionary.entries.get('Filter'));
  if (filters.length === 0) return Buffer.from(data);
  if (filters.length > 1 || nameOf(filters[0]) !== 'FlateDecode') throw damage('is packed in another way');
  const parameters = entriesOf(oneOrMore(dictionary.entries.get('DecodeParms'))[0]);
  const unpacked = inflate(data);
  const predictor = parameters.get('Predictor') ?? 1;
  if (predictor === 1) return unpacked;
  const columns = parameters.get('Columns') ?? 1;
  const isByBytes = (parameters.get('Colors') ?? 1) === 1 && (parameters.get('BitsPerComponent') ?? 8) === 8;
  if (typeof predictor !== 'number' || predictor < 10 || typeof columns !== 'number' || !isByBytes)
    throw damage('is predicted in another way');
  return undoPrediction(unpacked, columns);
}

function inflate(data: Uint8Array): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: LARGEST });
  } catch (error) {
    throw new DocketError('CORRUPT', 'a stream of objects cannot be unpacked', { cause: error });
  }
}

/** PNG's row filters, at one byte a pixel. */
function undoPrediction(rows: Buffer, columns: number): Buffer {
  if (!Number.isInteger(columns) || columns < 1 || rows.length % (columns + 1) !== 0)
    throw damage('has no whole rows');
  const result = Buffer.alloc((rows.length / (columns + 1)) * columns);
  const at = (offset: number): number => result[offset] ?? 0;
  for (let row = 0; row * (columns + 1) < rows.length; row += 1) {
    const filter = rows[row * (columns + 1)] ?? 0;
    for (let column = 0; column < columns; column += 1) {
      const target = row * columns + column;
      const left = column > 0 ? at(target - 1) : 0;
      const above = row > 0 ? at(target - columns) : 0;
      const corner = row > 0 && column > 0 ? at(target - columns - 1) : 0;
      const value = rows[row * (columns + 1) + 1 + column] ?? 0;
      result[target] = value + predict(filter, left, above, corner);
    }
  }
  return result;
}

function predict(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4: {
      const estimate = left + above - corner;
      const [toLeft, toAbove, toCorner] = [left, above, corner].map((value) => Math.abs(estimate - value));
      if (toLeft === undefined || toAbove === undefined || toCorner === undefined) return 0;
      if (toLeft <= toAbove && toLeft <= toCorner) return left;
      return toAbove <= toCorner ? above : corner;
    }
    default:
      throw damage('has a row of no known kind');
  }
}

function oneOrMore(value: PdfValue | undefined): readonly PdfValue[] {
  if (value === undefined || value === null) return [];
  return isArray(value) ? value : [value];
}

function damage(what: string): DocketError {
  return new DocketError('CORRUPT', `a stream of objects ${what}`);
}
