import { createHash } from 'node:crypto';
import { hexOf } from './byte-reader.ts';

/** SHA-256 in hex. */
export function sha256Of(bytes: Uint8Array): string {
  return hexOf(createHash('sha256').update(bytes).digest());
}
