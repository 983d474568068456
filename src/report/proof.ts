/** A check of the record and how it came out. */
export interface ReportCheck {
  readonly checked: string;
  readonly count: number;
  readonly failed: number;
  readonly firstOffender: string | null;
  readonly expected: string | null;
  readonly found: string | null;
}

/** What shows that the record is what it was, and how far. */
export interface ReportProof {
  readonly checks: readonly ReportCheck[];
  /** Where checkpoints are kept outside the database, a sentence each; none where there are none. */
  readonly copies: readonly string[];
  /** What all of that proves, in sentences. */
  readonly claim: readonly string[];
  /** How the published documents came out of the replay. */
  readonly replay: { readonly passed: number; readonly failed: number; readonly unchecked: number };
  /** What was changed to see it found, and was taken back; with the checks that found it. */
  readonly tampers: readonly { readonly what: string; readonly found: readonly ReportCheck[] }[];
}
