import { readDigestAlgorithm } from '../asn1/algorithms.ts';
import type { DigestAlgorithm } from '../asn1/algorithms.ts';
import { readElement, readElements, readOctets, readOid, readTime, TAG } from '../asn1/asn1.ts';

/** What a time-stamp authority states (TSTInfo of RFC 3161). */
export interface TimeStamp {
  readonly policy: string;
  /** Null if it is not known. */
  readonly digestAlgorithm: DigestAlgorithm | null;
  /** Digest of the bytes that were there. */
  readonly imprint: Buffer;
  readonly at: Date;
}

/** Kind of content of time-stamps, as an object identifier. */
export const TIME_STAMP = '1.2.840.113549.1.9.16.1.4';

/** Reads what is enclosed in a token; throws CORRUPT_ENVELOPE. */
export function readTimeStamp(enclosed: Buffer | null): TimeStamp {
  const fields = readElements(readElement(enclosed ?? Buffer.alloc(0)));
  fields.take(TAG.integer);
  const policy = readOid(fields.take(TAG.oid));
  const imprint = readElements(fields.take(TAG.sequence));
  const digestAlgorithm = readDigestAlgorithm(imprint.take(TAG.sequence));
  const digest = readOctets(imprint.take(TAG.octetString));
  fields.take(TAG.integer);
  return { policy, digestAlgorithm, imprint: digest, at: readTime(fields.take(TAG.generalizedTime)) };
}
