// The salted hash of a result, from its parts alone. Format: docs/audit-log.md.
import { createHash } from 'node:crypto';
import { field, float32, int32 } from './canonical-bytes.ts';

/** One page as it is hashed. */
export interface HashedPage {
  pageNo: number;
  widthPx: number;
  heightPx: number;
  dpi: number;
  rotationDegrees: number;
  angleDegrees: number;
  confidence: number;
  verdict: string;
  text: string;
  /** The JSON text of the words, as it is stored. */
  words: string;
}

const DOMAIN_TAG = Buffer.from('docket.result.1\n', 'ascii');

/**
 * SHA-256 over salt, tag, hash of the document, hash of the OCR configuration, pages declared and decoded, warnings, and the
 * pages in order.
 * Salt and both hashes are 32 bytes; so is the result.
 */
export function resultHash(parts: {
  salt: Uint8Array;
  sha256: Uint8Array;
  configSha256: Uint8Array;
  pagesDeclared: number;
  pagesDecoded: number;
  warnings: readonly string[];
  pages: readonly HashedPage[];
}): Buffer {
  const hash = createHash('sha256')
    .update(parts.salt)
    .update(DOMAIN_TAG)
    .update(parts.sha256)
    .update(parts.configSha256)
    .update(int32(parts.pagesDeclared))
    .update(int32(parts.pagesDecoded))
    .update(int32(parts.warnings.length));
  for (const warning of parts.warnings) hash.update(field(warning));
  hash.update(int32(parts.pages.length));
  for (const page of parts.pages) {
    hash
      .update(int32(page.pageNo))
      .update(int32(page.widthPx))
      .update(int32(page.heightPx))
      .update(float32(page.dpi))
      .update(int32(page.rotationDegrees))
      .update(float32(page.angleDegrees))
      .update(float32(page.confidence))
      .update(field(page.verdict))
      .update(field(page.text))
      .update(field(page.words));
  }
  return hash.digest();
}
