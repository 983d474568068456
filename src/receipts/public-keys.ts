import type { KeyObject } from 'node:crypto';
import { createPublicKey } from 'node:crypto';
import { z } from 'zod';
import { DocketError } from '../errors.ts';

const jwk = z.looseObject({ kty: z.string() });
const jwkSet = z.looseObject({ keys: z.array(jwk) });

/**
 * The keys by which receipts can be verified, out of a PEM public key, a JWK or a JWK set; of a set, those of Ed25519.
 * Throws RECEIPT_KEY for what holds none, or one that must be kept secret.
 */
export function parsePublicKeys(text: string): readonly KeyObject[] {
  try {
    const keys = keysIn(text).filter((key) => key.asymmetricKeyType === 'ed25519');
    if (keys.length > 0) return keys;
  } catch (cause) {
    if (cause instanceof DocketError) throw cause;
    throw unfit('there is no public key in it', cause);
  }
  throw unfit('there is no Ed25519 key in it');
}

function keysIn(text: string): KeyObject[] {
  if (text.includes('PRIVATE KEY')) throw unfit('it holds a private key');
  if (text.includes('-----BEGIN')) return [createPublicKey(text)];
  const parsed: unknown = JSON.parse(text);
  const set = jwkSet.safeParse(parsed);
  const keys = set.success ? set.data.keys : [jwk.parse(parsed)];
  if (keys.some((key) => key['d'] !== undefined || key['k'] !== undefined))
    throw unfit('it holds a secret key');
  return keys.map((key) => createPublicKey({ key, format: 'jwk' }));
}

function unfit(problem: string, cause?: unknown): DocketError {
  return new DocketError('RECEIPT_KEY', `the file of the key cannot be used: ${problem}`, {
    cause,
    hint: 'name a file with what GET /receipt-keys answers, or with an Ed25519 public key as PEM or JWK',
  });
}
