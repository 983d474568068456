import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { DocketError } from '../../errors.ts';
import { readCertificate } from './x509.ts';
import { readRevocationListFacts } from './revocation-list-facts.ts';
import type { RevocationListFacts } from './revocation-list-facts.ts';

/** What an operator gives as a key, a certificate or a revocation list, read: what is kept of it, and what it says. */
export type TrustMaterial =
  | { readonly kind: 'key'; readonly pem: string; readonly sha256: string; readonly algorithm: string }
  | {
      readonly kind: 'certificate';
      readonly pem: string;
      readonly sha256: string;
      readonly algorithm: string;
      /** RFC 4514; null where the name is empty. */
      readonly subject: string | null;
      readonly isAuthority: boolean;
      readonly notBefore: Date;
      readonly notAfter: Date;
    }
  | ({
      readonly kind: 'revocation_list';
      readonly der: Buffer;
      readonly sha256: string;
    } & RevocationListFacts);

/** The kinds of key by which some format of envelope is checked. */
const SIGNING_KEYS = new Set<string | undefined>([
  'rsa',
  'rsa-pss',
  'ec',
  'ed25519',
  'ed448',
  'ml-dsa-44',
  'ml-dsa-65',
  'ml-dsa-87',
]);
const jwk = z.looseObject({ kty: z.string() });
const jwks = z.union([
  jwk.transform((key) => [key]),
  z.looseObject({ keys: z.array(jwk) }).transform(({ keys }) => keys),
]);
const KEY_LABELS = ['PUBLIC KEY', 'RSA PUBLIC KEY'];

/**
 * Reads a JSON Web Key, or a key, certificate or revocation list as PEM or DER. Throws ZD045 for what is none of these, and for
 * what must not be given: a private key, a shared secret, several at once.
 */
export function readTrustMaterial(bytes: Buffer): TrustMaterial {
  const text = bytes.toString('latin1').trim();
  if (text.startsWith('{')) return readJwk(bytes.toString('utf8'));
  if (text.includes('-----BEGIN ')) return readPem(text);
  return readDer(bytes);
}

function readPem(text: string): TrustMaterial {
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g)];
  if (/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(text)) throw isPrivate();
  const [block] = blocks;
  if (!block) throw isNothing();
  if (blocks.length > 1) throw severalOf(blocks.length);
  const [pem, label = ''] = block;
  const der = Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');
  const found =
    label === 'CERTIFICATE'
      ? certificateIn(der)
      : label === 'X509 CRL'
        ? revocationListIn(der)
        : KEY_LABELS.includes(label)
          ? keyIn(() => createPublicKey(pem))
          : undefined;
  if (!found) throw isNothing();
  return found;
}

function readDer(der: Buffer): TrustMaterial {
  const found =
    certificateIn(der) ??
    keyIn(() => createPublicKey({ key: der, format: 'der', type: 'spki' })) ??
    revocationListIn(der);
  if (found) return found;
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    if (attempt(() => createPrivateKey({ key: der, format: 'der', type }))) throw isPrivate();
  }
  throw isNothing();
}

function readJwk(text: string): TrustMaterial {
  const keys = attempt(() => jwks.parse(JSON.parse(text))) ?? [];
  const [key] = keys;
  if (!key) throw isNothing();
  if (keys.length > 1) throw severalOf(keys.length);
  if (key.kty === 'oct') {
    throw refusal(
      'is a shared secret: whoever checks by it could have signed',
      'have the sender sign by a key of two halves, and give the public one',
    );
  }
  if ('d' in key || 'priv' in key) throw isPrivate();
  const found = keyIn(() => createPublicKey({ key, format: 'jwk' }));
  if (!found) throw isNothing();
  return found;
}

function keyIn(read: () => KeyObject): TrustMaterial | undefined {
  const key = attempt(read);
  if (!key) return undefined;
  requireSigning(key);
  return {
    kind: 'key',
    pem: key.export({ type: 'spki', format: 'pem' }).toString(),
    sha256: hashOf(key.export({ type: 'spki', format: 'der' })),
    algorithm: algorithmOf(key),
  };
}

function certificateIn(der: Buffer): TrustMaterial | undefined {
  const certificate = readCertificate(der);
  // Whatever stands behind it would not be part of what is trusted.
  if (!certificate?.x509.raw.equals(der)) return undefined;
  const { x509, key, sha256, subject, isAuthority, notBefore, notAfter } = certificate;
  requireSigning(key);
  return {
    kind: 'certificate',
    pem: x509.toString(),
    sha256,
    algorithm: algorithmOf(key),
    subject,
    isAuthority,
    notBefore,
    notAfter,
  };
}

function revocationListIn(der: Buffer): TrustMaterial | undefined {
  const facts = readRevocationListFacts(der);
  return facts ? { kind: 'revocation_list', der, sha256: hashOf(der), ...facts } : undefined;
}

function requireSigning({ asymmetricKeyType: type }: KeyObject): void {
  if (!SIGNING_KEYS.has(type))
    throw refusal(`is a key of kind ${type ?? 'unknown'}, which signs no envelope`);
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject): string {
  const bits = details?.modulusLength && `${details.modulusLength} bits`;
  return [asymmetricKeyType, details?.namedCurve, bits].filter(Boolean).join(' ');
}

const hashOf = (der: Uint8Array): string => createHash('sha256').update(der).digest('hex');

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const refusal = (problem: string, hint?: string): DocketError => new DocketError('ZD045', problem, { hint });
const severalOf = (count: number): DocketError =>
  refusal(`holds ${count} keys or certificates`, 'give each one in a file of its own');
const isPrivate = (): DocketError =>
  refusal('is a private key', 'give its public half only, and keep this one to whoever signs by it');
const isNothing = (): DocketError =>
  refusal(
    'is no key, certificate or revocation list',
    'expected a JSON Web Key, or PEM or DER of a public key, a certificate or an X.509 CRL',
  );
