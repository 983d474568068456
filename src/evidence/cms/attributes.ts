import { createHash } from 'node:crypto';
import { algorithmOid, readDigestAlgorithm } from '../asn1/algorithms.ts';
import { listElements, context, readElements, readOctets, readOid, readTime, TAG } from '../asn1/asn1.ts';
import type { Element } from '../asn1/asn1.ts';
import type { Certificate } from '../certificates/x509.ts';
import type { Attributes, SignerInfo } from './structure.ts';

const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_TIME = '1.2.840.113549.1.9.5';
const ALGORITHM_PROTECTION = '1.2.840.113549.1.9.52';
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';
const SIGNATURE_TIME_STAMP = '1.2.840.113549.1.9.16.2.14';
const CERTIFICATE_VALUES = '1.2.840.113549.1.9.16.2.23';
const REVOCATION_VALUES = '1.2.840.113549.1.9.16.2.24';
/** Countersignatures, archive time-stamps of all versions, and evidence records. */
const UNCHECKED = [
  '1.2.840.113549.1.9.6',
  '1.2.840.113549.1.9.16.2.27',
  '1.2.840.113549.1.9.16.2.48',
  '1.2.840.113549.1.9.16.2.49',
  '1.2.840.113549.1.9.16.2.50',
  '0.4.0.1733.2.4',
];

/** What a signer says under the signature. */
export interface SignedStatement {
  /** Kind of the content. */
  readonly contentType: string;
  readonly messageDigest: Buffer;
  readonly signingTime: Date | null;
  /** Whether the algorithms beside the signature are those that its signer meant (RFC 6211). */
  readonly hasItsAlgorithms: boolean;
  /** Whether a certificate is the one that the signer meant (RFC 5035); everyone is, where none is named. */
  means(certificate: Certificate): boolean;
}

/**
 * Reads the signed attributes; null where there are none, or they lack one that they must have. Throws CORRUPT_ENVELOPE for
 * what is not of its kind.
 */
export function readSignedStatement(signer: SignerInfo): SignedStatement | null {
  const attributes = signer.signedAttributes?.values ?? new Map<string, Element[]>();
  const contentType = onlyValue(attributes, CONTENT_TYPE);
  const messageDigest = onlyValue(attributes, MESSAGE_DIGEST);
  if (!contentType || !messageDigest) return null;
  const signingTime = onlyValue(attributes, SIGNING_TIME);
  const protection = onlyValue(attributes, ALGORITHM_PROTECTION);
  const named = [
    onlyValue(attributes, SIGNING_CERTIFICATE_V2),
    onlyValue(attributes, SIGNING_CERTIFICATE),
  ].filter((value) => value !== null);
  const marks = named.map(readSigningCertificate);
  return {
    contentType: readOid(contentType),
    messageDigest: readOctets(messageDigest),
    signingTime: signingTime ? readTime(signingTime) : null,
    hasItsAlgorithms: !protection || protects(protection, signer),
    means: ({ x509 }) =>
      marks.every(
        ({ hash, digest }) => hash !== null && createHash(hash).update(x509.raw).digest().equals(digest),
      ),
  };
}

/** Time-stamps over the signature, as they were added to it later. */
export function readSignatureTimeStamps(attributes: Attributes): readonly Buffer[] {
  return (attributes.get(SIGNATURE_TIME_STAMP) ?? []).map(({ bytes }) => bytes);
}

/** Certificates and revocation lists that were added to a signature later, so that it can be checked for long (CAdES). */
export function readValidationData(attributes: Attributes): {
  certificates: Buffer[];
  revocationLists: Buffer[];
} {
  const certificates = onlyValue(attributes, CERTIFICATE_VALUES);
  const revocations = onlyValue(attributes, REVOCATION_VALUES);
  const lists = revocations && readElements(revocations).takeIf(context(0));
  return {
    certificates: certificates ? listElements(certificates).map(({ bytes }) => bytes) : [],
    revocationLists: lists
      ? listElements(readElements(lists).take(TAG.sequence)).map(({ bytes }) => bytes)
      : [],
  };
}

/** Whether something was added to a signature later that is not looked at. */
export function hasUncheckedAttributes(attributes: Attributes): boolean {
  return UNCHECKED.some((oid) => attributes.has(oid));
}

function onlyValue(attributes: Attributes, oid: string): Element | null {
  const [value, ...others] = attributes.get(oid) ?? [];
  return value && others.length === 0 ? value : null;
}

/** The first entry of the attribute names the certificate of the signer, by SHA-1 in its first version, else by SHA-256. */
function readSigningCertificate(attribute: Element): { hash: string | null; digest: Buffer } {
  const fields = readElements(readElements(readElements(attribute).take(TAG.sequence)).take(TAG.sequence));
  const algorithm = fields.takeIf(TAG.sequence);
  const digest = readOctets(fields.take(TAG.octetString));
  const known = algorithm ? readDigestAlgorithm(algorithm)?.hash : digest.length === 20 ? 'sha1' : 'sha256';
  return { hash: known ?? null, digest };
}

function protects(protection: Element, { digestAlgorithm, signatureAlgorithm }: SignerInfo): boolean {
  const fields = readElements(protection);
  const digest = fields.take(TAG.sequence);
  const signature = fields.takeIf(context(1));
  return (
    algorithmOid(digest) === algorithmOid(digestAlgorithm) &&
    signature?.content.equals(signatureAlgorithm.content) === true
  );
}
