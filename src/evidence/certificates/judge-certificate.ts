import { createHash, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readAnchors } from './anchors.ts';
import type { Anchor, Window } from './anchors.ts';
import { findPaths } from './paths.ts';
import type { Path } from './paths.ts';
import { findRevocation } from './revocation.ts';
import { mayServe } from './purpose.ts';
import { readCertificate } from './x509.ts';
import type { Finding } from '../findings.ts';
import type { SignatureReport, SignatureStatus } from '../signature.ts';
import type { Trust, TrustAnchor } from '../trust.ts';

/** When something was signed, and who says so. */
export interface SigningTime {
  readonly at: Date;
  readonly by: 'signer' | 'timestamp';
}

/** What is to be judged by. */
interface Question {
  readonly trust: Trust;
  readonly purpose: TrustAnchor['purpose'];
  readonly signedAt?: SigningTime | null;
}

/** What became of the question whom a signature is from, the signature being intact. */
export interface SignerJudgement extends Pick<SignatureReport, 'anchorId' | 'signer' | 'signerSha256'> {
  readonly status: SignatureStatus;
  readonly findings: readonly Finding[];
}

/** As docket.signature_statuses ranks them. */
const ORDER: readonly SignatureStatus[] = [
  'valid',
  'expired_valid_at_signing',
  'revoked',
  'expired',
  'not_yet_valid',
  'unknown_signer',
];

/** The best of several ways to judge one signature; that the certificate of the signer was revoked outdoes all of them. */
export function chooseJudgement(judgements: readonly SignerJudgement[]): SignerJudgement | undefined {
  const revoked = judgements.find(({ findings }) => findings.includes('CERTIFICATE_REVOKED'));
  return revoked ?? [...judgements].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))[0];
}

/** Judges a key that a signature fits and that came from an anchor: by each anchor that has it. */
export function judgeKey({ spki, ...question }: Question & { readonly spki: Uint8Array }): SignerJudgement {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  const fitting = readAnchors(question.trust, question.purpose).filter((anchor) => anchor.key.equals(key));
  const judgements = fitting.map(({ certificate, ...anchor }) =>
    certificate
      ? judgeCertificate({ ...question, certificate: certificate.x509.raw, chain: [] })
      : judgeKeyAnchor({ ...anchor, certificate }, question),
  );
  return chooseJudgement(judgements) ?? unknownSigner(null, sha256(key), []);
}

/** Judges the certificate of a signer: by every path to an anchor, and by anchors that are its very key. */
export function judgeCertificate({
  certificate: der,
  chain,
  ...question
}: Question & { readonly certificate: Uint8Array; readonly chain: readonly Uint8Array[] }): SignerJudgement {
  const certificate = readCertificate(der);
  if (!certificate) {
    return { ...unknownSigner(null, null, ['CERTIFICATE_INVALID']), status: 'malformed' };
  }
  const anchors = readAnchors(question.trust, question.purpose);
  const issuers = chain.map(readCertificate).filter((issuer) => issuer !== null);
  const notices = new Set<Finding>();
  const judgements = anchors
    .filter((anchor) => anchor.certificate === null && anchor.key.equals(certificate.key))
    .map((anchor) => judgeKeyAnchor(anchor, question));
  if (mayServe(certificate, question.purpose, notices)) {
    const paths = findPaths(certificate, issuers, anchors, notices);
    judgements.push(...paths.map((path) => judgePath(path, question)));
  }
  return chooseJudgement(judgements) ?? unknownSigner(certificate.subject, certificate.sha256, [...notices]);
}

function judgeKeyAnchor({ id, label, key, window }: Anchor, question: Question): SignerJudgement {
  const status = judgeWindows([window], question);
  return { status, anchorId: id, signer: label, signerSha256: sha256(key), findings: [] };
}

function judgePath({ certificates, anchor }: Path, question: Question): SignerJudgement {
  const { trust, signedAt } = question;
  const [signer] = certificates;
  const windows = certificates.map((certificate) =>
    certificate === certificates.at(-1)
      ? anchor.window
      : { from: certificate.notBefore, until: certificate.notAfter },
  );
  const findings: Finding[] = [];
  let status = judgeWindows(windows, question);
  certificates.slice(0, -1).forEach((certificate, index) => {
    const issuer = certificates[index + 1] ?? certificate;
    const { from, isKnown } = findRevocation(certificate, issuer, trust.revocationLists, trust.judgedAt);
    if (!from && !isKnown && trust.revocationLists.length > 0) findings.push('REVOCATION_NOT_KNOWN');
    if (!from || from > trust.judgedAt) return;
    if (signedAt?.by === 'timestamp' && signedAt.at < from) {
      findings.push('REVOKED_AFTER_SIGNING');
    } else {
      status = 'revoked';
      findings.push(index === 0 ? 'CERTIFICATE_REVOKED' : 'ISSUER_REVOKED');
    }
  });
  return {
    status,
    anchorId: anchor.id,
    signer: signer?.subject ?? null,
    signerSha256: signer?.sha256 ?? null,
    findings: [...new Set(findings)],
  };
}

/** All windows have to be open at the time that is judged for, or else at the time of signing. */
function judgeWindows(windows: readonly Window[], { trust, signedAt }: Question): SignatureStatus {
  const { judgedAt } = trust;
  if (windows.some(({ from }) => from && judgedAt < from)) return 'not_yet_valid';
  if (windows.every(({ until }) => !until || judgedAt <= until)) return 'valid';
  const wasOpen =
    signedAt &&
    windows.every(({ from, until }) => (!from || from <= signedAt.at) && (!until || signedAt.at <= until));
  return wasOpen ? 'expired_valid_at_signing' : 'expired';
}

function unknownSigner(
  signer: string | null,
  signerSha256: string | null,
  findings: Finding[],
): SignerJudgement {
  return { status: 'unknown_signer', anchorId: null, signer, signerSha256, findings };
}

function sha256(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}
