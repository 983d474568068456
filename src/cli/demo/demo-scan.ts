/** How a document of the corpus must end. */
export type ExpectedEnd =
  | { readonly state: 'published' }
  | { readonly state: 'quarantined'; readonly code: string }
  | { readonly state: 'duplicate'; readonly of: string };

/** A file of the demo and what its sender states of it. */
export interface DemoScan {
  /** As it is shown. */
  readonly file: string;
  readonly path: string;
  readonly sourceId: string;
  /** As the sender calls it; a kind that the database does not know counts as unknown. */
  readonly kind: string;
  /** What the sender states in place of the true hash. */
  readonly claimedSha256?: Buffer | undefined;
  /** A signature over the bytes that is delivered beside them. */
  readonly envelope?: Buffer | undefined;
  /** Undefined for a person's own files: any end is a right one. */
  readonly expected?: ExpectedEnd | undefined;
}
