// The bytes whose SHA-256 is the hash of a result, taken apart. Format: docs/audit-log.md.
import type { HashedPage } from '../domain/result-hash.ts';
import { byteReader, type ByteReader } from './byte-reader.ts';

/** A result as it is hashed. */
export interface HashedResult {
  sha256: Uint8Array;
  configSha256: Uint8Array;
  pagesDeclared: number;
  pagesDecoded: number;
  warnings: readonly string[];
  pages: readonly HashedPage[];
}

/** Takes a result apart, salt first. Throws SyntaxError where it is none. */
export function readResult(bytes: Uint8Array): HashedResult {
  const reader = byteReader(bytes);
  reader.bytes(32);
  reader.tag('docket.result.1\n');
  const result = {
    sha256: reader.bytes(32),
    configSha256: reader.bytes(32),
    pagesDeclared: reader.int32(),
    pagesDecoded: reader.int32(),
    warnings: listOf(reader, () => reader.textField()),
    pages: listOf(reader, () => readPage(reader)),
  };
  reader.end();
  return result;
}

function readPage(reader: ByteReader): HashedPage {
  return {
    pageNo: reader.int32(),
    widthPx: reader.int32(),
    heightPx: reader.int32(),
    dpi: reader.float32(),
    rotationDegrees: reader.int32(),
    angleDegrees: reader.float32(),
    confidence: reader.float32(),
    verdict: reader.textField(),
    text: reader.textField(),
    words: reader.textField(),
  };
}

/** As many as the number before them says; a number that is too large ends with the bytes. */
function listOf<T>(reader: ByteReader, read: () => T): T[] {
  const list: T[] = [];
  for (let left = reader.int32(); left > 0; left -= 1) list.push(read());
  return list;
}
