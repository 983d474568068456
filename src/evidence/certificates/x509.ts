import { X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import {
  listElements,
  context,
  readElement,
  readElements,
  readNumber,
  readOctets,
  readOid,
  TAG,
  walkElements,
} from '../asn1/asn1.ts';
import type { Element } from '../asn1/asn1.ts';
import { readSignatureAlgorithm } from '../asn1/algorithms.ts';

/** A certificate with all of it that a judgement rests on. */
export interface Certificate {
  readonly x509: X509Certificate;
  readonly key: KeyObject;
  /** SHA-256 of the DER, in hex. */
  readonly sha256: string;
  /** RFC 4514, most particular part first. */
  readonly subject: string | null;
  readonly issuer: string | null;
  /** Names and number as encoded, by which signatures refer to it. */
  readonly issuerName: Buffer;
  readonly subjectName: Buffer;
  readonly serial: Buffer;
  readonly subjectKeyId: Buffer | null;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Whether basicConstraints let it issue certificates, and how many authorities may follow below it. */
  readonly isAuthority: boolean;
  readonly pathLength: number | null;
  /** Bits of keyUsage, the first being the highest of the first byte; null where it has none. */
  readonly keyUsage: Buffer | null;
  readonly extendedUsages: readonly string[] | null;
  readonly extendedUsageIsCritical: boolean;
  readonly hasUnknownCriticalExtension: boolean;
  /** Whether others could be made that bear the same signature of the issuer. */
  readonly isWeaklySigned: boolean;
}

/** Bits of keyUsage. */
export const KEY_USAGE = { digitalSignature: 0, contentCommitment: 1, keyCertSign: 5, cRLSign: 6 } as const;

const EXTENSION = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  issuerAltName: '2.5.29.18',
  basicConstraints: '2.5.29.19',
  revocationPoints: '2.5.29.31',
  policies: '2.5.29.32',
  authorityKeyId: '2.5.29.35',
  extendedUsage: '2.5.29.37',
} as const;
const KNOWN = new Set<string>(Object.values(EXTENSION));

/** Reads a certificate; null if it is none, or of a kind of key that is not known here. */
export function readCertificate(der: Uint8Array): Certificate | null {
  try {
    return describe(new X509Certificate(der));
  } catch {
    return null;
  }
}

/** Whether the certificate has a bit of keyUsage, or may be used for everything. */
export function hasKeyUsage({ keyUsage }: Certificate, ...bits: number[]): boolean {
  return keyUsage === null || bits.some((bit) => ((keyUsage[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}

function describe(x509: X509Certificate): Certificate {
  const whole = readElements(readElement(x509.raw));
  const fields = readElements(whole.take(TAG.sequence));
  const algorithm = readSignatureAlgorithm(whole.take(TAG.sequence), null);
  fields.takeIf(context(0));
  const serial = fields.take(TAG.integer).content;
  fields.take();
  const issuerName = fields.take(TAG.sequence).bytes;
  fields.take();
  const subjectName = fields.take(TAG.sequence).bytes;
  const tagged = fields.rest.find(({ tag }) => tag === context(3));
  const extensions = readExtensions(tagged ? readElement(tagged.content) : null);
  const valueOf = (oid: string): Element | null => {
    const extension = extensions.get(oid);
    return extension ? readElement(extension.value) : null;
  };
  const keyUsage = valueOf(EXTENSION.keyUsage);
  const extendedUsages = valueOf(EXTENSION.extendedUsage);
  const subjectKeyId = valueOf(EXTENSION.subjectKeyId);
  return {
    x509,
    key: x509.publicKey,
    sha256: x509.fingerprint256.replaceAll(':', '').toLowerCase(),
    subject: asOneLine(x509.subject),
    issuer: asOneLine(x509.issuer),
    issuerName,
    subjectName,
    serial,
    subjectKeyId: subjectKeyId ? readOctets(subjectKeyId) : null,
    notBefore: x509.validFromDate,
    notAfter: x509.validToDate,
    ...readBasicConstraints(valueOf(EXTENSION.basicConstraints)),
    keyUsage: keyUsage ? keyUsage.content.subarray(1) : null,
    extendedUsages: extendedUsages ? listElements(extendedUsages).map(readOid) : null,
    extendedUsageIsCritical: extensions.get(EXTENSION.extendedUsage)?.isCritical ?? false,
    hasUnknownCriticalExtension: [...extensions].some(
      ([oid, { isCritical }]) => isCritical && !KNOWN.has(oid),
    ),
    isWeaklySigned: algorithm?.isWeak ?? true,
  };
}

/** Node prints a line for each part of a name, its value escaped as RFC 4514 asks; an empty name is undefined. */
function asOneLine(name: string | undefined): string | null {
  return name?.split('\n').reverse().join(',') ?? null;
}

interface Extension {
  readonly isCritical: boolean;
  readonly value: Buffer;
}

/** Extensions of a certificate, a revocation list or its entry by object identifier; one that stands twice is an error. */
export function readExtensions(list: Element | null): Map<string, Extension> {
  const extensions = new Map<string, Extension>();
  if (!list) return extensions;
  for (const element of walkElements(list)) {
    const fields = readElements(element);
    const oid = readOid(fields.take(TAG.oid));
    const isCritical = (fields.takeIf(TAG.boolean)?.content[0] ?? 0) !== 0;
    if (extensions.has(oid)) throw new RangeError(`The extension ${oid} stands twice.`);
    extensions.set(oid, { isCritical, value: readOctets(fields.take(TAG.octetString)) });
  }
  return extensions;
}

function readBasicConstraints(element: Element | null): Pick<Certificate, 'isAuthority' | 'pathLength'> {
  if (!element) return { isAuthority: false, pathLength: null };
  const fields = readElements(element);
  const isAuthority = (fields.takeIf(TAG.boolean)?.content[0] ?? 0) !== 0;
  const pathLength = fields.takeIf(TAG.integer);
  return { isAuthority, pathLength: pathLength ? readNumber(pathLength) : null };
}
