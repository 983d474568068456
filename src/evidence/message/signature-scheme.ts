import { constants, type KeyObject } from 'node:crypto';

/** A way to sign with keys of some kind. */
export interface SignatureScheme {
  /** As JWS names it. */
  readonly name: string;
  readonly keyTypes: readonly string[];
  /** For elliptic curves: the only one. */
  readonly curve?: string;
  /** Null where the algorithm takes the whole message at once. */
  readonly digest: string | null;
  readonly options: {
    readonly dsaEncoding?: 'der' | 'ieee-p1363';
    readonly padding?: number;
    readonly saltLength?: number;
  };
}

type Digest = NonNullable<SignatureScheme['digest']>;

export function ecdsa(
  name: string,
  curve: string,
  digest: Digest,
  dsaEncoding: 'der' | 'ieee-p1363',
): SignatureScheme {
  return { name, keyTypes: ['ec'], curve, digest, options: { dsaEncoding } };
}

export function rsaPkcs1(name: string, digest: Digest): SignatureScheme {
  return { name, keyTypes: ['rsa'], digest, options: { padding: constants.RSA_PKCS1_PADDING } };
}

/** `saltLength`: of the digest where a standard says so, else whatever the signature has. */
export function rsaPss(name: string, digest: Digest, saltLength: 'digest' | 'any'): SignatureScheme {
  const { RSA_PKCS1_PSS_PADDING, RSA_PSS_SALTLEN_DIGEST, RSA_PSS_SALTLEN_AUTO } = constants;
  return {
    name,
    keyTypes: ['rsa', 'rsa-pss'],
    digest,
    options: {
      padding: RSA_PKCS1_PSS_PADDING,
      saltLength: saltLength === 'digest' ? RSA_PSS_SALTLEN_DIGEST : RSA_PSS_SALTLEN_AUTO,
    },
  };
}

/** A scheme of keys that sign a message as it is, such as Ed25519. */
export function wholeMessage(name: string, ...keyTypes: string[]): SignatureScheme {
  return { name, keyTypes, digest: null, options: {} };
}

const SHORTEST_RSA_BITS = 2048;
const SHORTEST_CURVE_BITS = 224;

/** Whether a key is of a size that is not trusted any more. A curve without a name, or without its size in it, is none. */
export function isShort({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject): boolean {
  if (asymmetricKeyType === 'ec') {
    const [bits = 0] = /\d{3}/.exec(details?.namedCurve ?? '') ?? [];
    return Number(bits) < SHORTEST_CURVE_BITS;
  }
  return (details?.modulusLength ?? SHORTEST_RSA_BITS) < SHORTEST_RSA_BITS;
}

export function fits(scheme: SignatureScheme, key: KeyObject): boolean {
  return (
    scheme.keyTypes.includes(key.asymmetricKeyType ?? '') &&
    (scheme.curve === undefined || scheme.curve === key.asymmetricKeyDetails?.namedCurve)
  );
}
