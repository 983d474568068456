import type { DigestAlgorithm } from './asn1-algorithms.ts';
import { digestOf } from './cms-content.ts';
import type { SignedData } from './cms-structure.ts';
import type { TimeStamp } from './timestamp-token.ts';

/** Two answers: whether the signed digest fits what it was made over, and whether that is the document. */
export interface Match {
  /** True where nothing is enclosed, or the content itself was signed; null where the digest cannot be computed. */
  readonly fitsEnclosed: boolean | null;
  /** Null where only the signature itself tells, or the digest cannot be computed. */
  readonly isDocument: boolean | null;
}

/** Compares digests: `messageDigest` is the one that the signer signed, null where the content itself was signed. */
export async function matchContent(
  { enclosed }: SignedData,
  stamp: TimeStamp | null,
  messageDigest: Buffer | null,
  algorithm: DigestAlgorithm | null,
  documentDigest: (algorithm: DigestAlgorithm) => Promise<Buffer>,
): Promise<Match> {
  if (!enclosed) {
    const isDocument =
      messageDigest && algorithm ? messageDigest.equals(await documentDigest(algorithm)) : null;
    return { fitsEnclosed: true, isDocument };
  }
  const fitsEnclosed = messageDigest
    ? algorithm && messageDigest.equals(digestOf(enclosed, algorithm))
    : true;
  if (!stamp) {
    const isDocument = digestOf(enclosed, SHA256).equals(await documentDigest(SHA256));
    return { fitsEnclosed, isDocument };
  }
  const { digestAlgorithm, imprint } = stamp;
  return {
    fitsEnclosed,
    isDocument: digestAlgorithm ? imprint.equals(await documentDigest(digestAlgorithm)) : null,
  };
}

const SHA256: DigestAlgorithm = { hash: 'sha256' };
