import { ecdsa, rsaPkcs1, rsaPss, wholeMessage, type SignatureScheme } from '../message/signature-scheme.ts';

/**
 * DSSE names no algorithm: the kind of the key decides, and where signers differ, each of their ways is tried. ECDSA is written
 * as DER by Sigstore and in-toto, and as two numbers by the protocol's own test vector.
 */
export const DSSE_SCHEMES: readonly SignatureScheme[] = [
  ...(['der', 'ieee-p1363'] as const).flatMap((encoding) => [
    ecdsa('ES256', 'prime256v1', 'sha256', encoding),
    ecdsa('ES384', 'secp384r1', 'sha384', encoding),
    ecdsa('ES512', 'secp521r1', 'sha512', encoding),
  ]),
  rsaPss('PS256', 'sha256', 'any'),
  rsaPkcs1('RS256', 'sha256'),
  wholeMessage('Ed25519', 'ed25519'),
  wholeMessage('Ed448', 'ed448'),
  wholeMessage('ML-DSA-44', 'ml-dsa-44'),
  wholeMessage('ML-DSA-65', 'ml-dsa-65'),
  wholeMessage('ML-DSA-87', 'ml-dsa-87'),
];
