import { algorithmOid, isWeakHash, readDigestAlgorithm, readSignatureAlgorithm } from './asn1-algorithms.ts';
import type { DigestAlgorithm, SignatureAlgorithm } from './asn1-algorithms.ts';
import type { SigningTime } from './certificates.ts';
import { hasUncheckedAttributes, readValidationData } from './cms-attributes.ts';
import type { SignedStatement } from './cms-attributes.ts';
import type { Content } from './cms-content.ts';
import { matchContent } from './cms-match.ts';
import type { Match } from './cms-match.ts';
import { findSigner } from './cms-signer.ts';
import type { Signer } from './cms-signer.ts';
import type { SignedData, SignerInfo } from './cms-structure.ts';
import type { Finding } from './findings.ts';
import { statusOfFlaws, type Flaw } from './signature-flaw.ts';
import { isShort } from './signature-scheme.ts';
import type { SignatureReport } from './signature.ts';
import type { TimeStamp } from './timestamp-token.ts';
import type { Trust } from './trust.ts';
import { bytesAsMessage } from './verify-message.ts';

/** When authorities say that a signature was there, and what is wrong with what they say. */
export interface StampedTime {
  readonly at: Date | null;
  readonly findings: readonly Finding[];
}

/** What a document that holds its signature says beside it. */
export interface BesideSignature {
  /** When it was signed, as the signer states. */
  readonly signedAt: Date | null;
  /** When a trusted time-stamp over the document says that the signature was there. */
  readonly stampedAt: Date | null;
  /** Certificates to build paths of; none is trusted for lying there. */
  readonly certificates: readonly Buffer[];
  readonly revocationLists: readonly Uint8Array[];
}

/** One signature of signed data. */
export interface SignerPart {
  readonly signed: SignedData;
  readonly signer: SignerInfo;
  /** Null where the content is signed without any attributes. */
  readonly statement: SignedStatement | null;
  /** What is enclosed, where it is a time-stamp. */
  readonly stamp: TimeStamp | null;
  readonly stamped: StampedTime;
  readonly content: Content;
  documentDigest(algorithm: DigestAlgorithm): Promise<Buffer>;
  readonly trust: Trust;
  readonly signal: AbortSignal;
  readonly format: SignatureReport['format'];
  readonly expect?: 'detached' | 'timestamp' | undefined;
  readonly beside?: BesideSignature | undefined;
}

/** Reports one signature. */
export async function reportSigner(part: SignerPart): Promise<SignatureReport> {
  const { signed, signer, statement, stamp, stamped, content, format, trust, beside } = part;
  const later = readValidationData(signer.unsignedAttributes);
  const digestAlgorithm = readDigestAlgorithm(signer.digestAlgorithm);
  const algorithm = readSignatureAlgorithm(signer.signatureAlgorithm, digestAlgorithm);
  const messageDigest = statement?.messageDigest ?? null;
  const match = await matchContent(signed, stamp, messageDigest, digestAlgorithm, part.documentDigest);
  const enclosed = signed.enclosed && bytesAsMessage(signed.enclosed);
  const found = algorithm
    ? await findSigner({
        ...part,
        algorithm,
        message: signer.signedAttributes
          ? bytesAsMessage(signer.signedAttributes.bytes)
          : (enclosed ?? content),
        means: statement?.means ?? (() => true),
        trust: {
          ...trust,
          revocationLists: [
            ...trust.revocationLists,
            ...signed.revocationLists,
            ...later.revocationLists,
            ...(beside?.revocationLists ?? []),
          ],
        },
        certificates: [...signed.certificates, ...later.certificates, ...(beside?.certificates ?? [])],
        purpose: stamp ? 'timestamp' : 'signer',
      })
    : null;
  const isIntact = found?.isIntact === true ? match.fitsEnclosed : (found?.isIntact ?? null);
  // Without signed attributes and enclosed content the signature itself is the only digest that there is.
  const digestMatches = match.isDocument ?? (isIntact === true && !statement && !enclosed ? true : null);
  const stated = stamp?.at ?? statement?.signingTime ?? beside?.signedAt ?? null;
  const stampedAt = earliest(stamped.at, beside?.stampedAt ?? null);
  const signedAt =
    isIntact === true ? (stampedAt ? by('timestamp', stampedAt) : stated && by('signer', stated)) : null;
  const judgement = found?.judge(signedAt);
  const flaws = [
    ...findContentFlaws(part, { ...match, isDocument: digestMatches }),
    ...findSignatureFlaws(
      algorithm,
      [digestAlgorithm, stamp ? stamp.digestAlgorithm : digestAlgorithm],
      found,
    ),
  ];
  const status = statusOfFlaws(flaws) ?? judgement?.status ?? 'unsupported';
  return {
    format,
    purpose: stamp ? 'timestamp' : 'signature',
    status,
    isIntact,
    digestMatches,
    coverage: digestMatches === true ? 'whole_document' : null,
    laterChanges: null,
    signer: judgement?.signer ?? found?.certificate?.subject ?? null,
    signerSha256: judgement?.signerSha256 ?? found?.certificate?.sha256 ?? null,
    anchorId: judgement?.anchorId ?? null,
    algorithm: algorithm?.name ?? algorithmOid(signer.signatureAlgorithm),
    signedAt: signedAt?.at.toISOString() ?? null,
    signedAtBy: stamp && signedAt && status === 'valid' ? 'timestamp' : (signedAt?.by ?? null),
    findings: [
      ...new Set([
        ...flaws.map(({ finding }) => finding),
        ...(found?.findings ?? []),
        ...(judgement?.findings ?? []),
        ...stamped.findings,
        ...(hasUncheckedAttributes(signer.unsignedAttributes)
          ? ['UNSIGNED_PROPERTIES_NOT_CHECKED' as const]
          : []),
        ...(statement ? [] : ['SIGNED_ATTRIBUTES_MISSING' as const]),
      ]),
    ],
    details: {
      isEnclosed: enclosed !== null,
      digestAlgorithm: digestAlgorithm?.hash ?? algorithmOid(signer.digestAlgorithm),
      issuer: found?.certificate?.issuer ?? null,
      serialNumber: found?.certificate?.serial.toString('hex') ?? null,
      ...(stamp ? { policy: stamp.policy } : {}),
    },
  };
}

/** What is wrong with what was signed. */
function findContentFlaws(
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
function findSignatureFlaws(
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

function by(who: SigningTime['by'], at: Date): SigningTime {
  return { at, by: who };
}

function earliest(a: Date | null, b: Date | null): Date | null {
  return a && b ? (a < b ? a : b) : (a ?? b);
}
