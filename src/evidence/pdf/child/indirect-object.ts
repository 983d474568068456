import { DocketError } from '../../../errors.ts';
import { PdfParser } from './pdf-parser.ts';
import type { PdfReference, PdfValue } from './pdf-value.ts';
import { isDictionary, isReference } from './pdf-value.ts';

/** An object that stands in the file by itself, from its number to its end. */
export interface IndirectObject {
  readonly number: number;
  readonly generation: number;
  readonly value: PdfValue;
  readonly start: number;
  readonly end: number;
}

/** Reads the object that begins at an offset, exactly there. `resolve` is asked for lengths of streams. Throws CORRUPT. */
export function readIndirectObject(
  bytes: Buffer,
  start: number,
  resolve: (reference: PdfReference) => PdfValue,
): IndirectObject {
  const parser = new PdfParser(bytes, start);
  const number = parser.integer();
  parser.skipSpace();
  const generation = parser.integer();
  parser.skipSpace();
  parser.expect('obj');
  let value = parser.value();
  parser.skipSpace();
  if (isDictionary(value) && parser.accept('stream')) {
    if (!parser.accept('\r\n')) parser.expect('\n');
    const given = value.entries.get('Length');
    const length = isReference(given) ? resolve(given) : given;
    if (typeof length !== 'number' || !Number.isInteger(length) || length < 0)
      throw new DocketError('CORRUPT', `the stream at byte ${start} has no length`);
    value = { kind: 'stream', dictionary: value, data: bytes.subarray(parser.at, parser.at + length) };
    parser.skip(length);
    parser.skipSpace();
    parser.expect('endstream');
    parser.skipSpace();
  }
  parser.expect('endobj');
  return { number, generation, value, start, end: parser.at };
}
