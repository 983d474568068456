import {
  context,
  listElements,
  readBits,
  readElement,
  readElements,
  readTime,
  TAG,
  walkElements,
} from '../asn1/asn1.ts';
import type { Element } from '../asn1/asn1.ts';
import { readSignatureAlgorithm } from '../asn1/algorithms.ts';
import type { SignatureAlgorithm } from '../asn1/algorithms.ts';
import { readExtensions } from './x509.ts';

/** An X.509 CRL, read; its signature is not checked by that. */
export interface RevocationList {
  /** What is signed, by which algorithm (null if it is not known), and the signature. */
  readonly signedBytes: Buffer;
  readonly algorithm: SignatureAlgorithm | null;
  readonly signature: Buffer;
  readonly issuerName: Element;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | null;
  /** The revoked certificates. A list may be long, so that they are walked and never unfolded. */
  readonly entries: Element | null;
  /** Whether it tells of the certificates of its issuer and of no others: no delta, no list of several issuers. */
  readonly isPlain: boolean;
  /** Of which of the certificates of its issuer it tells, as it says; null: of all. */
  readonly scope: Buffer | null;
}

/** A certificate on a list. */
export interface RevokedCertificate {
  /** When it was revoked or, if that is known, came into wrong hands. */
  readonly from: Date;
  /** Whether the revocation may be lifted again. */
  readonly isHold: boolean;
}

const REASON = '2.5.29.21';
const INVALIDITY_DATE = '2.5.29.24';
const DISTRIBUTION_POINT = '2.5.29.28';
const INDIRECT = 0x84;
const CERTIFICATE_HOLD = 6;

/** Reads a list as DER; throws CORRUPT_ENVELOPE for what is none. */
export function readRevocationList(der: Buffer): RevocationList {
  const whole = readElements(readElement(der));
  const signed = whole.take(TAG.sequence);
  const algorithm = readSignatureAlgorithm(whole.take(TAG.sequence), null);
  const signature = readBits(whole.take(TAG.bitString));
  const fields = readElements(signed);
  fields.takeIf(TAG.integer);
  fields.take(TAG.sequence);
  const issuerName = fields.take(TAG.sequence);
  const thisUpdate = readTime(fields.take());
  const nextUpdate = fields.takeIf(TAG.utcTime, TAG.generalizedTime);
  const entries = fields.takeIf(TAG.sequence);
  const tagged = fields.takeIf(context(0));
  const extensions = readExtensions(tagged ? readElement(tagged.content) : null);
  const point = extensions.get(DISTRIBUTION_POINT);
  const isUnderstood = [...extensions].every(
    ([oid, { isCritical }]) => !isCritical || oid === DISTRIBUTION_POINT,
  );
  return {
    signedBytes: signed.bytes,
    algorithm,
    signature,
    issuerName,
    thisUpdate,
    nextUpdate: nextUpdate ? readTime(nextUpdate) : null,
    entries,
    isPlain: isUnderstood && !(point && isIndirect(point.value)),
    scope: point?.value ?? null,
  };
}

/** How many certificates are on it. */
export function countRevoked({ entries }: RevocationList): number {
  let count = 0;
  if (entries) for (const walk = walkElements(entries); walk.next().done !== true;) count += 1;
  return count;
}

/** The entry of a serial number. */
export function findRevoked({ entries }: RevocationList, serial: Buffer): RevokedCertificate | null {
  if (!entries) return null;
  for (const entry of walkElements(entries)) {
    if (readElement(entry.content).content.equals(serial)) return readEntry(entry);
  }
  return null;
}

function readEntry(entry: Element): RevokedCertificate {
  const fields = readElements(entry);
  fields.take(TAG.integer);
  const revokedAt = readTime(fields.take());
  const extensions = readExtensions(fields.takeIf(TAG.sequence));
  const reason = extensions.get(REASON)?.value;
  const invalidity = extensions.get(INVALIDITY_DATE)?.value;
  const invalidFrom = invalidity ? readTime(readElement(invalidity)) : revokedAt;
  return {
    from: invalidFrom < revokedAt ? invalidFrom : revokedAt,
    isHold: reason !== undefined && readElement(reason).content[0] === CERTIFICATE_HOLD,
  };
}

function isIndirect(distributionPoint: Buffer): boolean {
  return listElements(readElement(distributionPoint)).some(
    ({ tag, content }) => tag === INDIRECT && content[0] !== 0,
  );
}
