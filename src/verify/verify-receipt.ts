// Receipts: compact JWS (RFC 7515) signed by Ed25519 (RFC 8037). Format: docs/receipts.md.
import { isEd25519Signature } from '../domain/ed25519.ts';
import { utf8 } from '../domain/utf8.ts';
import { isRecord } from './json-value.ts';
import { bytesOfBase64url } from './receipt-keys.ts';

export interface BundledReceipt {
  /** What it says, as JSON. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Whether one of the keys signed it. */
  isSignedBy(keys: readonly Uint8Array[]): boolean;
}

/** Takes a receipt apart. Throws SyntaxError where it is none. */
export function readReceipt(jws: string): BundledReceipt {
  const [header = '', payload = '', signature = '', ...more] = jws.split('.');
  const { alg, typ } = objectOf(header);
  if (more.length > 0 || alg !== 'EdDSA' || typ !== 'docket-receipt+jws') {
    throw new SyntaxError('a line is no receipt');
  }
  const claims = objectOf(payload);
  const bytes = bytesOfBase64url(signature) ?? new Uint8Array();
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  return { claims, isSignedBy: (keys) => keys.some((key) => isEd25519Signature(key, signed, bytes)) };
}

function objectOf(part: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(utf8(bytesOfBase64url(part) ?? new Uint8Array()));
  if (!isRecord(parsed)) throw new SyntaxError('a part of a receipt is no object');
  return parsed;
}
