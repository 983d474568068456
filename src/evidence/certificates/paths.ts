import type { Anchor } from './anchors.ts';
import { hasKeyUsage, KEY_USAGE } from './x509.ts';
import type { Certificate } from './x509.ts';
import { isShort } from '../message/signature-scheme.ts';
import type { Finding } from '../findings.ts';

/** A chain from a certificate up to an anchor: the first is the certificate, the last is the anchor's. */
export interface Path {
  readonly certificates: readonly Certificate[];
  readonly anchor: Anchor;
}

/** Chains as long as this are found; real ones have two to four certificates. */
const MAX_LENGTH = 8;
/** Signatures of certificates that are computed to judge one certificate, whatever is delivered beside it. */
const MAX_CHECKS = 64;

/**
 * Every path from the certificate to an anchor, by names and signatures. `notices` collects why a way was not followed. Times
 * and revocations are not looked at.
 */
export function findPaths(
  certificate: Certificate,
  chain: readonly Certificate[],
  anchors: readonly Anchor[],
  notices: Set<Finding>,
): Path[] {
  const authorities = anchors.map((anchor) => anchor.certificate).filter((authority) => authority !== null);
  const issuers = [...new Map([...authorities, ...chain].map((issuer) => [issuer.sha256, issuer])).values()];
  const paths: Path[] = [];
  let checks = 0;
  climb([certificate]);
  return paths;

  function climb(path: readonly Certificate[]): void {
    const last = path.at(-1) ?? certificate;
    for (const anchor of anchors) {
      if (anchor.certificate?.sha256 === last.sha256) paths.push({ certificates: path, anchor });
    }
    if (path.length === MAX_LENGTH) return;
    for (const issuer of issuers) {
      if (!path.includes(issuer) && isIssuedBy(last, issuer) && mayStandAbove(issuer, path)) {
        climb([...path, issuer]);
      }
    }
  }

  function isIssuedBy(issued: Certificate, issuer: Certificate): boolean {
    if (!issued.x509.checkIssued(issuer.x509) || checks >= MAX_CHECKS) return false;
    if (issued.isWeaklySigned || isShort(issuer.key)) {
      notices.add('CERTIFICATE_WEAK');
      return false;
    }
    checks += 1;
    return issued.x509.verify(issuer.key);
  }

  function mayStandAbove(issuer: Certificate, path: readonly Certificate[]): boolean {
    const below = path
      .slice(1)
      .filter(({ subjectName, issuerName }) => !subjectName.equals(issuerName)).length;
    if (
      !issuer.isAuthority ||
      !hasKeyUsage(issuer, KEY_USAGE.keyCertSign) ||
      below > (issuer.pathLength ?? below)
    ) {
      notices.add('ISSUER_NO_AUTHORITY');
      return false;
    }
    if (issuer.hasUnknownCriticalExtension) notices.add('CRITICAL_EXTENSION_UNKNOWN');
    return !issuer.hasUnknownCriticalExtension;
  }
}
