import type { DigestAlgorithm } from '../asn1/algorithms.ts';
import { digestOf } from './content.ts';
import type { SignedData } from './structure.ts';
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
  const isOfDocument = async (digest: Buffer, by: DigestAlgorithm | null): Promise<boolean | null> =>
    by && digest.equals(await documentDigest(by));
  const fitsEnclosed =
    enclosed && messageDigest ? algorithm && messageDigest.equals(digestOf(enclosed, algorithm)) : true;
  if (stamp) {
    return { fitsEnclosed, isDocument: await isOfDocument(stamp.imprint, stamp.digestAlgorithm) };
  }
  if (messageDigest) return { fitsEnclosed, isDocument: await isOfDocument(messageDigest, algorithm) };
  return { fitsEnclosed, isDocument: enclosed && (await isOfDocument(digestOf(enclosed, SHA256), SHA256)) };
}

const SHA256: DigestAlgorithm = { hash: 'sha256' };
