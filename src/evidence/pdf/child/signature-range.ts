import type { Finding } from '../../findings.ts';
import type { PdfValue } from './pdf-value.ts';
import { isArray, isString } from './pdf-value.ts';

/** Which bytes of the file a signature was made over. */
export interface SignatureRange {
  /** Start and length, twice, as the dictionary says. */
  readonly numbers: readonly [number, number, number, number];
  readonly end: number;
  /** The signature itself. */
  readonly contents: Buffer;
  /** Why the ranges leave out more than the signature, if they do. */
  readonly gap: Finding | undefined;
}

/** Reads where a signature stands, and what it was made over. Answers a finding if it cannot be read without doubt. */
export function readSignatureRange(
  dictionary: ReadonlyMap<string, PdfValue>,
  bytes: Buffer,
): SignatureRange | Finding {
  const numbers = dictionary.get('ByteRange');
  const contents = dictionary.get('Contents');
  if (!isRange(numbers)) return 'BYTE_RANGE_INVALID';
  if (!isString(contents) || !contents.raw.startsWith('<')) return 'PDF_CONTENTS_INVALID';
  const [start, length, next, rest] = numbers;
  if (start + length > next || next + rest > bytes.length) return 'BYTE_RANGE_OUTSIDE';
  const isWhole = start === 0 && length === contents.start && next === contents.end;
  return {
    numbers,
    end: next + rest,
    contents: Buffer.from(contents.raw.slice(1, -1).replace(/[^0-9A-Fa-f]/g, ''), 'hex'),
    gap: isWhole ? undefined : 'BYTE_RANGE_LEAVES_OUT_MORE',
  };
}

function isRange(value: PdfValue | undefined): value is readonly [number, number, number, number] {
  return (
    isArray(value) &&
    value.length === 4 &&
    value.every((number) => typeof number === 'number' && Number.isInteger(number) && number >= 0)
  );
}
