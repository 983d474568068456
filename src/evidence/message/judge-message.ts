import {
  chooseJudgement,
  type SignerJudgement,
  type SigningTime,
} from '../certificates/judge-certificate.ts';
import type { Finding } from '../findings.ts';
import { statusOfFlaws, type Flaw } from './signature-flaw.ts';
import { fits, isShort, type SignatureScheme } from './signature-scheme.ts';
import type { SignatureReport } from '../signature.ts';
import { holdersOfAnchors, type SignerCandidate } from './signer-candidate.ts';
import type { Trust } from '../trust.ts';
import { verifyMessage, WHOLE_MESSAGE_LIMIT, type Attempt, type Message } from './verify-message.ts';

/** A signature that was read, and what its format says of it. */
export interface SignedMessage {
  readonly format: SignatureReport['format'];
  /** As the envelope names it; null: as the key that fits says. */
  readonly algorithm: string | null;
  /** The ways in which it may have been made. */
  readonly schemes: readonly SignatureScheme[];
  readonly message: Message;
  readonly signature: Uint8Array;
  /** Who made it, as the envelope says. */
  readonly claimed: SignerCandidate | null;
  /** Whether it was made over bytes of the document; `if_intact` where the message is made of these themselves. */
  readonly digestMatches: boolean | null | 'if_intact';
  readonly signedAt: SigningTime | null;
  /** Why it counts for nothing, whatever it fits. */
  readonly flaws: readonly Flaw[];
  readonly findings: readonly Finding[];
  readonly details: SignatureReport['details'];
}

interface Fitting extends Attempt {
  readonly candidate: SignerCandidate;
}

/** Reports a signature: verifies it with every key that may have made it, and judges whose key that is. */
export async function judgeMessage(
  signed: SignedMessage,
  trust: Trust,
  signal: AbortSignal,
): Promise<SignatureReport> {
  const flaws: Flaw[] = [...signed.flaws];
  let { schemes } = signed;
  if (signed.message.sizeBytes > WHOLE_MESSAGE_LIMIT && schemes.some(({ digest }) => digest === null)) {
    flaws.push({ status: 'unsupported', finding: 'CONTENT_TOO_LARGE' });
    schemes = [];
  }
  const attempts = attemptsAt({ ...signed, schemes }, trust);
  const fitting = await verifyMessage(attempts, signed.signature, signed.message, signal);
  const [made] = fitting;
  const isIntact = made ? true : signed.claimed && schemes.length > 0 ? false : null;
  const digestMatches = signed.digestMatches === 'if_intact' ? (made ? true : null) : signed.digestMatches;
  const answer =
    chooseJudgement(fitting.map(({ candidate }) => candidate.judge(signed.signedAt))) ??
    judgeStranger(attempts, { ...signed, schemes });
  if (made && isShort(made.key)) flaws.push({ status: 'weak_algorithm', finding: 'KEY_SHORT' });
  if (digestMatches === false) flaws.push({ status: 'invalid', finding: 'CONTENT_NOT_THE_DOCUMENT' });

  return {
    format: signed.format,
    purpose: 'signature',
    status: statusOfFlaws(flaws) ?? answer.status,
    isIntact,
    digestMatches,
    coverage: digestMatches ? 'whole_document' : null,
    laterChanges: null,
    signer: answer.signer,
    signerSha256: answer.signerSha256,
    anchorId: answer.anchorId,
    algorithm: signed.algorithm ?? made?.scheme.name ?? null,
    signedAt: made ? (signed.signedAt?.at.toISOString() ?? null) : null,
    signedAtBy: made ? (signed.signedAt?.by ?? null) : null,
    findings: [...new Set([...flaws.map(({ finding }) => finding), ...signed.findings, ...answer.findings])],
    details: signed.details,
  };
}

function attemptsAt({ claimed, schemes }: SignedMessage, trust: Trust): Fitting[] {
  const candidates = [...(claimed ? [claimed] : []), ...holdersOfAnchors(trust)];
  return candidates.flatMap((candidate) =>
    schemes
      .filter((scheme) => fits(scheme, candidate.key))
      .map((scheme) => ({ key: candidate.key, scheme, candidate })),
  );
}

/**
 * What is said of a signature that no key fits. Who claims to have made it did not make it like that; nor did anybody who is
 * trusted. Only where nobody trusted could have made it may a stranger have done so.
 */
function judgeStranger(
  attempts: readonly Fitting[],
  { claimed, schemes, signedAt }: SignedMessage,
): SignerJudgement {
  const nobody = { signer: null, signerSha256: null, anchorId: null };
  if (schemes.length === 0) return { ...nobody, status: 'unknown_signer', findings: [] };
  if (claimed) return { ...nobody, status: 'invalid', findings: ['SIGNATURE_BROKEN'] };
  return attempts.some(({ candidate }) => candidate.judge(signedAt).status !== 'unknown_signer')
    ? { ...nobody, status: 'invalid', findings: ['NO_KEY_FITS'] }
    : { ...nobody, status: 'unknown_signer', findings: ['KEY_UNKNOWN'] };
}
