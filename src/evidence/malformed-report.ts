import type { Finding } from './findings.ts';
import type { SignatureReport } from './signature.ts';

/** The report of what cannot be read as a signature, or not without doubt. */
export function malformed(
  format: SignatureReport['format'],
  finding: Finding,
  details: SignatureReport['details'] = {},
): SignatureReport {
  return {
    format,
    purpose: format === 'timestamp' ? 'timestamp' : 'signature',
    status: 'malformed',
    isIntact: null,
    digestMatches: null,
    coverage: null,
    laterChanges: null,
    signer: null,
    signerSha256: null,
    anchorId: null,
    algorithm: null,
    signedAt: null,
    signedAtBy: null,
    findings: [finding],
    details,
  };
}
