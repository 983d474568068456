/** A key or certificate against which signatures of a source are judged: a row of docket.trust_anchors. */
export interface TrustAnchor {
  readonly id: number;
  readonly kind: 'key' | 'certificate';
  readonly purpose: 'signer' | 'timestamp';
  readonly label: string;
  /** SubjectPublicKeyInfo or X.509 certificate. */
  readonly pem: string;
  readonly validFrom: Date | null;
  readonly validUntil: Date | null;
}

/** What a signature is judged by. */
export interface Trust {
  readonly anchors: readonly TrustAnchor[];
  /** X.509 CRLs as DER. */
  readonly revocationLists: readonly Uint8Array[];
  /** The time for which certificates, anchors and revocations are judged. */
  readonly judgedAt: Date;
}
