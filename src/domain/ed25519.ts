import { createPublicKey, verify } from 'node:crypto';

/** DER of a SubjectPublicKeyInfo for Ed25519 (RFC 8410), up to the 32 bytes of the key. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** 2^255 − 19: coordinates are counted below it. */
const PRIME = 2n ** 255n - 19n;

/** The y of the eight points whose order divides 8. A "signature" by such a key fits many texts. */
const SMALL_ORDER: readonly bigint[] = [
  0n,
  1n,
  PRIME - 1n,
  2707385501144840649318225287225658788936804267575313519463743609750303402022n,
  55188659117513257062467267217118295137698188065244968500265048394206261417927n,
];

/**
 * Whether an Ed25519 signature (RFC 8032) of a text by a key is good. Strict, as `docket_audit.ed25519_verify` is: S is below the
 * order of the group, R and the key are encoded canonically, and the key is not one of the eight points of small order.
 */
export function isEd25519Signature(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (publicKey.length !== 32 || signature.length !== 64 || !isProperKey(publicKey)) return false;
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
    return verify(null, message, key, signature);
  } catch {
    return false; // what encodes no point of the curve is no key, and signed nothing
  }
}

function isProperKey(publicKey: Uint8Array): boolean {
  const y = BigInt(`0x${Buffer.from(publicKey).reverse().toString('hex')}`) & (2n ** 255n - 1n);
  return y < PRIME && !SMALL_ORDER.includes(y);
}
