import { algorithmOid, readDigestAlgorithm, readSignatureAlgorithm } from '../asn1/algorithms.ts';
import type { SigningTime } from '../certificates/judge-certificate.ts';
import { hasUncheckedAttributes, readValidationData } from './attributes.ts';
import { findContentFlaws, findSignatureFlaws } from './flaws.ts';
import { matchContent } from './match.ts';
import type { SignerPart } from './part.ts';
import { findSigner } from './signer.ts';
import { statusOfFlaws } from '../message/signature-flaw.ts';
import type { SignatureReport } from '../signature.ts';
import { bytesAsMessage } from '../message/verify-message.ts';

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
  const times = isIntact === true ? readTimes(part) : NO_TIMES;
  const judgement = found?.judge(times.stamped ?? times.stated);
  const flaws = [
    ...findContentFlaws(part, { ...match, isDocument: digestMatches }),
    ...findSignatureFlaws(
      algorithm,
      [digestAlgorithm, stamp ? stamp.digestAlgorithm : digestAlgorithm],
      found,
    ),
  ];
  const status = statusOfFlaws(flaws) ?? judgement?.status ?? 'unsupported';
  // A time-stamp is of the time that it states, even if another one says that it was there later.
  const signedAt = stamp ? times.stated : (times.stamped ?? times.stated);
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
    signedAtBy: signedAt && stamp && status === 'valid' ? 'timestamp' : (signedAt?.by ?? null),
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

interface Times {
  readonly stamped: SigningTime | null;
  readonly stated: SigningTime | null;
}

const NO_TIMES: Times = { stamped: null, stated: null };

/** When it was signed: as trusted time-stamps over it say, and as its signer says. */
function readTimes({ stamp, stamped, statement, beside }: SignerPart): Times {
  const stampedAt = [stamped.at, beside?.stampedAt].filter((at) => at instanceof Date);
  const statedAt = stamp?.at ?? statement?.signingTime ?? beside?.signedAt;
  return {
    stamped:
      stampedAt.length > 0 ? { at: new Date(Math.min(...stampedAt.map(Number))), by: 'timestamp' } : null,
    stated: statedAt ? { at: statedAt, by: 'signer' } : null,
  };
}
