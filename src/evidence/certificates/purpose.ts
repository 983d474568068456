import { hasKeyUsage, KEY_USAGE } from './x509.ts';
import type { Certificate } from './x509.ts';
import type { Finding } from '../findings.ts';
import type { TrustAnchor } from '../trust.ts';

const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const REVOCATION_ANSWERS = '1.3.6.1.5.5.7.3.9';
/** Uses that say nothing of documents: a certificate for these alone makes nobody a signer. */
const NO_SIGNERS = [SERVER_AUTHENTICATION, TIME_STAMPING, REVOCATION_ANSWERS];

/** Whether a certificate may sign documents, or time-stamps (RFC 3161: that use, nothing else, and critical). */
export function mayServe(
  certificate: Certificate,
  purpose: TrustAnchor['purpose'],
  notices: Set<Finding>,
): boolean {
  const { extendedUsages, extendedUsageIsCritical } = certificate;
  const isForPurpose =
    purpose === 'timestamp'
      ? extendedUsageIsCritical && extendedUsages?.length === 1 && extendedUsages[0] === TIME_STAMPING
      : extendedUsages === null || extendedUsages.some((usage) => !NO_SIGNERS.includes(usage));
  const isForSigning = hasKeyUsage(certificate, KEY_USAGE.digitalSignature, KEY_USAGE.contentCommitment);
  if (!isForPurpose || !isForSigning) notices.add('CERTIFICATE_FOR_OTHER_USE');
  if (certificate.hasUnknownCriticalExtension) notices.add('CRITICAL_EXTENSION_UNKNOWN');
  return isForPurpose && isForSigning && !certificate.hasUnknownCriticalExtension;
}
