import type { KeyObject } from 'node:crypto';
import type { SignatureAlgorithm } from '../asn1/algorithms.ts';
import { readAnchors } from '../certificates/anchors.ts';
import { readCertificate } from '../certificates/x509.ts';
import type { Certificate } from '../certificates/x509.ts';
import { chooseJudgement, judgeCertificate, judgeKey } from '../certificates/judge-certificate.ts';
import type { SignerJudgement, SigningTime } from '../certificates/judge-certificate.ts';
import type { SignedData, SignerInfo } from './structure.ts';
import type { Finding } from '../findings.ts';
import type { Flaw } from '../message/signature-flaw.ts';
import { fits } from '../message/signature-scheme.ts';
import type { TrustAnchor, Trust } from '../trust.ts';
import { verifyMessage, WHOLE_MESSAGE_LIMIT } from '../message/verify-message.ts';
import type { Message } from '../message/verify-message.ts';

/** Certificates that are looked at, of all that lie with a signature: those in it come first. */
const MOST_CERTIFICATES = 100;
/** Certificates of one issuer and number that are tried; of an honest authority there is one. */
const MOST_NAMED = 4;

/** A signature, and all that is needed to tell whose it is. */
export interface SignerQuestion {
  readonly signer: SignerInfo;
  readonly algorithm: SignatureAlgorithm;
  /** What it should have been made over. */
  readonly message: Message;
  /** Whether the signer meant a certificate, where one is named under the signature. */
  means(certificate: Certificate): boolean;
  readonly certificates: SignedData['certificates'];
  readonly trust: Trust;
  readonly purpose: TrustAnchor['purpose'];
  readonly signal: AbortSignal;
}

/** Whom a signature may be from, the mathematics done and nobody trusted yet. */
export interface Signer {
  /** Null where there was no key to compute with, or too much to compute. */
  readonly isIntact: boolean | null;
  /** The key that the signature fits. */
  readonly key: KeyObject | null;
  readonly certificate: Certificate | null;
  /** Why it counts for nothing. */
  readonly flaws: readonly Flaw[];
  /** What else was noticed. */
  readonly findings: readonly Finding[];
  judge(signedAt: SigningTime | null): SignerJudgement;
}

/**
 * Tries the certificates that the signature names, and the keys of all anchors: what a signature names is a hint, and many
 * signatures come without their certificate.
 */
export async function findSigner(question: SignerQuestion): Promise<Signer> {
  const { signer, algorithm, message, trust, purpose, signal } = question;
  const certificates = question.certificates.slice(0, MOST_CERTIFICATES);
  const beside = certificates
    .map(readCertificate)
    .filter((certificate) => certificate !== null)
    .filter((certificate) => isNamed(certificate, signer))
    .slice(0, MOST_NAMED);
  const anchors = readAnchors(trust, purpose);
  const attempts = [
    ...beside.map((certificate) => ({ key: certificate.key, certificate, isAnchor: false })),
    ...anchors.map(({ key, certificate }) => ({ key, certificate, isAnchor: true })),
  ]
    .map((attempt) => ({ ...attempt, scheme: algorithm }))
    .filter(({ key }) => fits(algorithm, key));
  if (algorithm.digest === null && message.sizeBytes > WHOLE_MESSAGE_LIMIT) {
    return nobody(null, [{ status: 'unsupported', finding: 'CONTENT_TOO_LARGE' }]);
  }
  const fitting = await verifyMessage(attempts, signer.signature, message, signal);
  const meant = fitting.filter(
    ({ certificate, isAnchor }) => isAnchor || (certificate !== null && question.means(certificate)),
  );
  const isNamedByAnchor = anchors.some(({ certificate }) => certificate && isNamed(certificate, signer));
  if (fitting.length === 0) {
    return beside.length > 0 || isNamedByAnchor
      ? nobody(false, [{ status: 'invalid', finding: 'SIGNATURE_BROKEN' }])
      : nobody(null, [], ['CERTIFICATE_MISSING']);
  }
  const [first] = meant;
  return {
    isIntact: true,
    key: first?.key ?? null,
    certificate: first?.certificate ?? null,
    flaws: first ? [] : [{ status: 'invalid', finding: 'CERTIFICATE_SUBSTITUTED' }],
    findings: [],
    judge: (signedAt) =>
      chooseJudgement(
        meant.map(({ certificate, key, isAnchor }) =>
          certificate && !isAnchor
            ? judgeCertificate({
                certificate: certificate.x509.raw,
                chain: certificates,
                trust,
                purpose,
                signedAt,
              })
            : judgeKey({ spki: key.export({ type: 'spki', format: 'der' }), trust, purpose, signedAt }),
        ),
      ) ?? UNKNOWN,
  };
}

const UNKNOWN: SignerJudgement = {
  status: 'unknown_signer',
  anchorId: null,
  signer: null,
  signerSha256: null,
  findings: [],
};

function nobody(isIntact: boolean | null, flaws: Flaw[], findings: Finding[] = []): Signer {
  return { isIntact, key: null, certificate: null, flaws, findings, judge: () => UNKNOWN };
}

function isNamed({ issuerName, serial, subjectKeyId }: Certificate, { names }: SignerInfo): boolean {
  return 'keyId' in names
    ? subjectKeyId?.equals(names.keyId) === true
    : issuerName.equals(names.issuerName) && serial.equals(names.serial);
}
