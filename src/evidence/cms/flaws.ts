import { isWeakHash } from '../asn1/algorithms.ts';
import type { DigestAlgorithm, SignatureAlgorithm } from '../asn1/algorithms.ts';
import type { Match } from './match.ts';
import type { SignerPart } from './part.ts';
import type { Signer } from './signer.ts';
import type { Finding } from '../findings.ts';
import type { Flaw } from '../message/signature-flaw.ts';
import { isShort } from '../message/signature-scheme.ts';

/** What is wrong with what was signed. */
export function findContentFlaws(
  { signed, statement, expect }: SignerPart,
  { fitsEnclosed, isDocument }: Match,
): Flaw[] {
  const flaws: Flaw[] = [];
  const invalid = (finding: Finding): number => flaws.push({ status: 'invalid', finding });
  if (statement && statement.contentType !== signed.contentType) invalid('CONTENT_TYPE_WRONG');
  if (statement && !statement.hasItsAlgorithms) invalid('ALGORITHM_SUBSTITUTED');
  if (signed.enclosed && expect === 'detached') invalid('CONTENT_ENCLOSED');
  if (fitsEnclosed === false) invalid('CONTENT_ALTERED');
  if (isDocument === false) invalid('CONTENT_NOT_THE_DOCUMENT');
  return flaws;
}

/** What is wrong with how it was signed, and with the signature itself. */
export function findSignatureFlaws(
  algorithm: SignatureAlgorithm | null,
  digests: readonly (DigestAlgorithm | null)[],
  found: Signer | null,
): Flaw[] {
  const flaws: Flaw[] = [];
  if (!algorithm || digests.includes(null))
    flaws.push({ status: 'unsupported', finding: 'ALGORITHM_UNKNOWN' });
  if (algorithm?.isWeak === true || digests.some((digest) => digest && isWeakHash(digest.hash))) {
    flaws.push({ status: 'weak_algorithm', finding: 'ALGORITHM_WEAK' });
  }
  if (found?.key && isShort(found.key)) flaws.push({ status: 'weak_algorithm', finding: 'KEY_SHORT' });
  return [...flaws, ...(found?.flaws ?? [])];
}
