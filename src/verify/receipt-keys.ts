import { bytesOfBase64 } from '../domain/canonical-base64.ts';
import { isRecord } from './json-value.ts';

/**
 * The 32 bytes of each Ed25519 key in a JWK set, a JWK or PEM public keys: what `docket receipt keys` and GET /receipt-keys answer.
 * Throws SyntaxError where there is none.
 */
export function readReceiptKeys(text: string): readonly Uint8Array[] {
  const keys = text.includes('-----BEGIN') ? pemKeys(text) : jwkKeys(JSON.parse(text));
  if (keys.length === 0) throw new SyntaxError('there is no Ed25519 public key in it');
  return keys;
}

/** DER of an Ed25519 SubjectPublicKeyInfo (RFC 8410) up to the key, in base64: 12 bytes are 16 characters. */
const SPKI = 'MCowBQYDK2VwAyEA';

function pemKeys(text: string): Uint8Array[] {
  const blocks = text.matchAll(/-----BEGIN PUBLIC KEY-----([\sA-Za-z0-9+/=]*)-----END PUBLIC KEY-----/g);
  return Array.from(blocks, ([, body = '']) => body.replace(/\s/g, ''))
    .filter((body) => body.startsWith(SPKI))
    .flatMap((body) => bytesOfBase64(body.slice(SPKI.length)) ?? [])
    .filter((key) => key.length === 32);
}

function jwkKeys(parsed: unknown): Uint8Array[] {
  const set = isRecord(parsed) && Array.isArray(parsed['keys']) ? (parsed['keys'] as unknown[]) : [parsed];
  return set.flatMap((jwk) => {
    if (!isRecord(jwk) || jwk['kty'] !== 'OKP' || jwk['crv'] !== 'Ed25519') return [];
    const key = bytesOfBase64url(jwk['x']);
    return key?.length === 32 ? [key] : [];
  });
}

/** The bytes of base64url without padding (RFC 4648, 5) in the one way that they are written; else undefined. */
export function bytesOfBase64url(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || /[^\w-]/.test(text)) return undefined;
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  return bytesOfBase64(base64.padEnd(Math.ceil(base64.length / 4) * 4, '='));
}
