import { ecdsa, rsaPkcs1, rsaPss, wholeMessage, type SignatureScheme } from '../message/signature-scheme.ts';

/** The algorithms of JWS that are checked: RFC 7518, 8037, 8812, 9864 and ML-DSA. */
const SCHEMES: readonly SignatureScheme[] = [
  ecdsa('ES256', 'prime256v1', 'sha256', 'ieee-p1363'),
  ecdsa('ES384', 'secp384r1', 'sha384', 'ieee-p1363'),
  ecdsa('ES512', 'secp521r1', 'sha512', 'ieee-p1363'),
  ecdsa('ES256K', 'secp256k1', 'sha256', 'ieee-p1363'),
  rsaPkcs1('RS256', 'sha256'),
  rsaPkcs1('RS384', 'sha384'),
  rsaPkcs1('RS512', 'sha512'),
  rsaPss('PS256', 'sha256', 'digest'),
  rsaPss('PS384', 'sha384', 'digest'),
  rsaPss('PS512', 'sha512', 'digest'),
  wholeMessage('EdDSA', 'ed25519', 'ed448'),
  wholeMessage('Ed25519', 'ed25519'),
  wholeMessage('Ed448', 'ed448'),
  wholeMessage('ML-DSA-44', 'ml-dsa-44'),
  wholeMessage('ML-DSA-65', 'ml-dsa-65'),
  wholeMessage('ML-DSA-87', 'ml-dsa-87'),
];

/** Nothing was signed, whoever checks could have signed, or SHA-1: such signatures prove nothing. */
const WEAK: ReadonlySet<string> = new Set(['none', 'HS256', 'HS384', 'HS512', 'HS1', 'RS1']);

/** How signatures of an algorithm are checked. */
export function jwsAlgorithm(name: string): SignatureScheme | 'weak' | 'unknown' {
  if (WEAK.has(name)) return 'weak';
  return SCHEMES.find((scheme) => scheme.name === name) ?? 'unknown';
}
