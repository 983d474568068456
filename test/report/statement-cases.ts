import type { SignatureReport } from '../../src/evidence/signature.ts';
import type { SignedStage } from './signed-stage.ts';

const CHANGED = 'the document was changed afterwards';
const PART = 'it is over a part of the document only';

export interface StatementCase {
  readonly name: string;
  /** What was found: by our own checker where it can be made here, else as one would report it. */
  readonly found: (stage: SignedStage) => Promise<readonly SignatureReport[]> | readonly SignatureReport[];
  readonly status: string;
  readonly coverage: string | null;
  readonly isSigned: boolean;
  readonly says: string;
}

export const CASES: readonly StatementCase[] = [
  {
    name: 'a valid signature over the whole document',
    found: (stage) => stage.checked(stage.signedBy('depot')),
    status: 'valid',
    coverage: 'whole_document',
    isSigned: true,
    says: 'Signed by Depot key over the whole document; valid on 2026-09-29 08:00:00 UTC against the anchor "Depot key".',
  },
  {
    name: 'no signature',
    found: () => [],
    status: 'absent',
    coverage: null,
    isSigned: false,
    says: 'Bytes received. It has no signature.',
  },
  {
    name: 'a signature of other bytes',
    found: (stage) => stage.checked(stage.signedBy('depot', 'other bytes')),
    status: 'invalid',
    coverage: null,
    isSigned: false,
    says: 'Bytes received. There is a signature that does not fit this document: one of them was altered, or it signs something else.',
  },
  {
    name: 'a signature that nobody vouches for',
    found: (stage) => stage.checked(stage.signedBy('stranger'), []),
    status: 'unknown_signer',
    coverage: null,
    isSigned: false,
    says: 'Bytes received. There is a signature, but it leads to no trust anchor of the source.',
  },
  {
    name: 'a signature with the algorithm none',
    found: (stage) => stage.checked(Promise.resolve('eyJhbGciOiJub25lIn0..')),
    status: 'weak_algorithm',
    coverage: null,
    isSigned: false,
    says: 'Bytes received. There is a signature, but its algorithm proves nothing.',
  },
  {
    name: 'an envelope of no known format',
    found: (stage) => stage.checked(Promise.resolve('signed, the captain')),
    status: 'malformed',
    coverage: null,
    isSigned: false,
    says: 'Bytes received. It has a signature that cannot be read.',
  },
  {
    name: 'a certificate that expired after a time-stamp',
    found: (stage) => [
      stage.report({
        status: 'expired_valid_at_signing',
        signedAt: '2026-03-01T09:30:00.000Z',
        signedAtBy: 'timestamp',
      }),
    ],
    status: 'expired_valid_at_signing',
    coverage: 'whole_document',
    isSigned: true,
    says: 'Signed by CN=Depot Nord over the whole document; the certificate had expired by 2026-09-29 08:00:00 UTC, but was valid against the anchor "Depot key" when it was signed on 2026-03-01 09:30:00 UTC, as a trusted time-stamp says.',
  },
  {
    name: 'the same where only the signer says when',
    found: (stage) => [
      stage.report({
        status: 'expired_valid_at_signing',
        signedAt: '2026-03-01T09:30:00.000Z',
        signedAtBy: 'signer',
      }),
    ],
    status: 'expired_valid_at_signing',
    coverage: 'whole_document',
    isSigned: true,
    says: 'Signed by CN=Depot Nord over the whole document; the certificate had expired by 2026-09-29 08:00:00 UTC, but was valid against the anchor "Depot key" when it was signed on 2026-03-01 09:30:00 UTC, as the signer says.',
  },
  {
    name: 'a certificate that was revoked',
    found: (stage) => [stage.report({ status: 'revoked' })],
    status: 'revoked',
    coverage: 'whole_document',
    isSigned: false,
    says: 'Bytes received. There is a signature by CN=Depot Nord, but the certificate had been revoked.',
  },
  {
    name: 'a certificate that had expired',
    found: (stage) => [stage.report({ status: 'expired' })],
    status: 'expired',
    coverage: 'whole_document',
    isSigned: false,
    says: 'Bytes received. There is a signature by CN=Depot Nord, but the certificate or key had expired.',
  },
  {
    name: 'a certificate that was not valid yet',
    found: (stage) => [stage.report({ status: 'not_yet_valid' })],
    status: 'not_yet_valid',
    coverage: 'whole_document',
    isSigned: false,
    says: 'Bytes received. There is a signature by CN=Depot Nord, but the certificate or key was not valid yet.',
  },
  {
    name: 'an algorithm that is not checked here',
    found: (stage) => [stage.report({ status: 'unsupported', isIntact: null, anchorId: null, signer: null })],
    status: 'unsupported',
    coverage: 'whole_document',
    isSigned: false,
    says: 'Bytes received. There is a signature, but its algorithm cannot be checked here.',
  },
  {
    name: 'a valid signature of a part',
    found: (stage) => [stage.report({ coverage: 'partial' })],
    status: 'valid',
    coverage: 'partial',
    isSigned: false,
    says: `Bytes received. A signature by CN=Depot Nord is valid, but ${PART}.`,
  },
  {
    name: 'a valid signature in a file that grew since',
    found: (stage) => [stage.report({ coverage: 'changed_after_signing', laterChanges: 'form_filling' })],
    status: 'valid',
    coverage: 'changed_after_signing',
    isSigned: false,
    says: `Bytes received. A signature by CN=Depot Nord is valid, but ${CHANGED}.`,
  },
  {
    name: 'a signature of a stranger in a file that grew since',
    found: (stage) => [
      stage.report({ status: 'unknown_signer', coverage: 'changed_after_signing', anchorId: null }),
    ],
    status: 'unknown_signer',
    coverage: 'changed_after_signing',
    isSigned: false,
    says: `Bytes received. There is a signature, but it leads to no trust anchor of the source. Besides, ${CHANGED}.`,
  },
  {
    name: 'a time-stamp and nothing else',
    found: (stage) => [
      stage.report({
        format: 'timestamp',
        purpose: 'timestamp',
        signedAt: '2026-09-28T17:00:00.000Z',
        signedAtBy: 'timestamp',
      }),
    ],
    status: 'absent',
    coverage: null,
    isSigned: false,
    says: 'Bytes received. It has no signature; a trusted time-stamp says that it was there on 2026-09-28 17:00:00 UTC.',
  },
  {
    name: 'two signatures, one of them broken',
    found: (stage) => [
      stage.report({ status: 'invalid', isIntact: false, anchorId: null, signer: null, coverage: null }),
      stage.report(),
    ],
    status: 'valid',
    coverage: 'whole_document',
    isSigned: true,
    says: 'Signed by CN=Depot Nord over the whole document; valid on 2026-09-29 08:00:00 UTC against the anchor "Depot key". It has 2 signatures; 1 of them is valid over the whole document.',
  },
];
