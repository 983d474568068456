// The id of a job is made of the hash of its bytes, so that delivering twice cannot make two jobs.
import { createHash } from 'node:crypto';

/**
 * UUIDv8 (RFC 9562, 5.8) of the first 16 bytes of the SHA-256 of a SHA-256, with the version and variant bits set. Hashed
 * once more, because anybody can invent a hash that begins like another, but not one whose hash does.
 */
export function jobIdOf(sha256: Uint8Array): string {
  const bytes = createHash('sha256').update(sha256).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
