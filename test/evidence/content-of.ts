import { createHash } from 'node:crypto';
import type { SignedContent } from '../../src/evidence/envelope-format.ts';

/** A document in pieces whose size is no multiple of three, so that base64url has to be written across their borders. */
export function contentOf(bytes: Uint8Array | string): SignedContent {
  const buffer = Buffer.from(bytes);
  return {
    sha256: createHash('sha256').update(buffer).digest(),
    sizeBytes: buffer.length,
    async *open() {
      for (let at = 0; at < buffer.length; at += 7) yield buffer.subarray(at, at + 7);
    },
  };
}
