/** What a signature can be found to be: the rows of docket.signature_statuses, but `absent`, which is said of documents. */
export type SignatureStatus =
  | 'valid'
  | 'expired_valid_at_signing'
  | 'expired'
  | 'not_yet_valid'
  | 'revoked'
  | 'unknown_signer'
  | 'weak_algorithm'
  | 'unsupported'
  | 'invalid'
  | 'malformed';

/** How much of this document a signature was made over. */
export type Coverage = 'whole_document' | 'partial' | 'changed_after_signing';

/** What was added to a document after it was signed, from harmless to unknown. */
export type LaterChanges = 'none' | 'validation_data' | 'signatures' | 'form_filling' | 'other';

/** All that was found of one signature. Plain data: it crosses process borders and is kept as JSON. */
export interface SignatureReport {
  readonly format: 'jws' | 'dsse' | 'cms' | 'timestamp' | 'pdf' | 'unknown';
  /** `timestamp`: an authority states that the bytes were there at a time; nobody signed them thereby. */
  readonly purpose: 'signature' | 'timestamp';
  readonly status: SignatureStatus;
  /** Whether it fits what it was made over, whoever made it; null where that could not be computed. */
  readonly isIntact: boolean | null;
  /** Whether what it was made over are bytes of this document; null where that could not be told. */
  readonly digestMatches: boolean | null;
  /** Null unless the digest matches. */
  readonly coverage: Coverage | null;
  /** Null where the format has no place for later changes, or they could not be told. */
  readonly laterChanges: LaterChanges | null;
  /** Subject of the signer's certificate (RFC 4514), or label of the key anchor. */
  readonly signer: string | null;
  /** SHA-256, in hex, of the DER of the signer's certificate or public key. */
  readonly signerSha256: string | null;
  /** The anchor at which trust ended; null where none fits. */
  readonly anchorId: number | null;
  /** As its format names it, such as ES256 or sha256WithRSAEncryption. */
  readonly algorithm: string | null;
  /** ISO 8601, UTC. */
  readonly signedAt: string | null;
  /** Who says so: the signer, or a time-stamp that is valid against an anchor for time-stamps. */
  readonly signedAtBy: 'signer' | 'timestamp' | null;
  /** What else was noticed: codes of findings.ts. */
  readonly findings: readonly string[];
  /** What is particular to the format: key hints, payload type, byte range, revision, issuer, serial number. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}
