import { constants, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { context, readElements, readNumber, readOid, TAG } from './asn1.ts';
import type { Element } from './asn1.ts';
import { fits, rsaPkcs1, wholeMessage } from '../message/signature-scheme.ts';
import type { SignatureScheme } from '../message/signature-scheme.ts';

/** A hash function as node:crypto knows it. */
export interface DigestAlgorithm {
  readonly hash: string;
  /** Bytes, for functions that give as many as are asked for. */
  readonly outputLength?: number;
}

/** How a signature was made; its name is the one that people know, such as sha256WithRSAEncryption. */
export interface SignatureAlgorithm extends SignatureScheme {
  readonly isWeak: boolean;
}

const SHA2 = '2.16.840.1.101.3.4.2.';
const DIGESTS: Readonly<Record<string, DigestAlgorithm>> = {
  '1.2.840.113549.2.5': { hash: 'md5' },
  '1.3.14.3.2.26': { hash: 'sha1' },
  [`${SHA2}1`]: { hash: 'sha256' },
  [`${SHA2}2`]: { hash: 'sha384' },
  [`${SHA2}3`]: { hash: 'sha512' },
  [`${SHA2}4`]: { hash: 'sha224' },
  [`${SHA2}6`]: { hash: 'sha512-256' },
  [`${SHA2}7`]: { hash: 'sha3-224' },
  [`${SHA2}8`]: { hash: 'sha3-256' },
  [`${SHA2}9`]: { hash: 'sha3-384' },
  [`${SHA2}10`]: { hash: 'sha3-512' },
  // SHAKE256 gives 512 bits here (RFC 8702); its variant with a stated length is what Ed448 needs, of the same length (RFC 8419).
  [`${SHA2}12`]: { hash: 'shake256', outputLength: 64 },
  [`${SHA2}18`]: { hash: 'shake256', outputLength: 64 },
};

const RSA = '1.2.840.113549.1.1.';
const ECDSA = '1.2.840.10045.4.';
const NIST = '2.16.840.1.101.3.4.3.';
const rsa = (hash: string): SignatureAlgorithm => ({
  ...rsaPkcs1(`${hash}WithRSAEncryption`, hash),
  isWeak: isWeakHash(hash),
});
const ecdsa = (hash: string): SignatureAlgorithm => ({
  name: `ecdsa-with-${hash.toUpperCase()}`,
  keyTypes: ['ec'],
  digest: hash,
  options: { dsaEncoding: 'der' },
  isWeak: isWeakHash(hash),
});
const edwards = (name: string): SignatureAlgorithm => ({
  ...wholeMessage(name, name.toLowerCase()),
  isWeak: false,
});
const SIGNATURES: Readonly<Record<string, SignatureAlgorithm>> = {
  [`${RSA}4`]: rsa('md5'),
  [`${RSA}5`]: rsa('sha1'),
  '1.3.14.3.2.29': rsa('sha1'),
  [`${RSA}11`]: rsa('sha256'),
  [`${RSA}12`]: rsa('sha384'),
  [`${RSA}13`]: rsa('sha512'),
  [`${RSA}14`]: rsa('sha224'),
  [`${NIST}13`]: rsa('sha3-224'),
  [`${NIST}14`]: rsa('sha3-256'),
  [`${NIST}15`]: rsa('sha3-384'),
  [`${NIST}16`]: rsa('sha3-512'),
  [`${ECDSA}1`]: ecdsa('sha1'),
  [`${ECDSA}3.1`]: ecdsa('sha224'),
  [`${ECDSA}3.2`]: ecdsa('sha256'),
  [`${ECDSA}3.3`]: ecdsa('sha384'),
  [`${ECDSA}3.4`]: ecdsa('sha512'),
  [`${NIST}9`]: ecdsa('sha3-224'),
  [`${NIST}10`]: ecdsa('sha3-256'),
  [`${NIST}11`]: ecdsa('sha3-384'),
  [`${NIST}12`]: ecdsa('sha3-512'),
  '1.3.101.112': edwards('Ed25519'),
  '1.3.101.113': edwards('Ed448'),
};
/** They leave the hash function to the digest algorithm beside them. */
const BARE: Readonly<Record<string, (hash: string) => SignatureAlgorithm>> = {
  [`${RSA}1`]: rsa,
  '1.2.840.10045.2.1': ecdsa,
};
const PSS = `${RSA}10`;
const MGF1 = `${RSA}8`;

/** The hash function that an AlgorithmIdentifier names; null if it is not known. */
export function readDigestAlgorithm(identifier: Element): DigestAlgorithm | null {
  return DIGESTS[algorithmOid(identifier)] ?? null;
}

/** The signature algorithm that an AlgorithmIdentifier names; null if it is not known. */
export function readSignatureAlgorithm(
  identifier: Element,
  digest: DigestAlgorithm | null,
): SignatureAlgorithm | null {
  const oid = algorithmOid(identifier);
  if (oid === PSS) return readPss(identifier);
  const bare = BARE[oid];
  return bare && digest ? bare(digest.hash) : (SIGNATURES[oid] ?? null);
}

/** Its object identifier in dotted numbers. */
export function algorithmOid(identifier: Element): string {
  return readOid(readElements(identifier).take(TAG.oid));
}

/** Whether the signature fits the bytes and the key. A key of another kind fits nothing. */
export function fitsKey(
  scheme: SignatureScheme,
  key: KeyObject,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    return fits(scheme, key) && verify(scheme.digest, bytes, { key, ...scheme.options }, signature);
  } catch {
    return false; // OpenSSL refuses some broken signatures by an error.
  }
}

/** RSASSA-PSS-params; what is absent means SHA-1. Two different hash functions in one are not known here. */
function readPss(identifier: Element): SignatureAlgorithm | null {
  const parameters = readElements(identifier).rest[1];
  const fields = parameters ? readElements(parameters) : null;
  const [hash, mask, salt] = [0, 1, 2].map((number) => {
    const tagged = fields?.takeIf(context(number));
    return tagged ? readElements(tagged).take() : null;
  });
  const hashName = hash ? readDigestAlgorithm(hash)?.hash : 'sha1';
  const maskHash = mask ? readMaskHash(mask) : 'sha1';
  if (hashName === undefined || hashName !== maskHash) return null;
  return {
    name: `${hashName}WithRSASSA-PSS`,
    keyTypes: ['rsa', 'rsa-pss'],
    digest: hashName,
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: salt ? readNumber(salt) : 20 },
    isWeak: isWeakHash(hashName),
  };
}

function readMaskHash(mask: Element): string | undefined {
  const [, hash] = readElements(mask).rest;
  return algorithmOid(mask) === MGF1 && hash ? readDigestAlgorithm(hash)?.hash : undefined;
}

/** Whether two contents of one digest can be made. */
export function isWeakHash(hash: string): boolean {
  return hash === 'md5' || hash === 'sha1';
}
