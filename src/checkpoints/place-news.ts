/** How a place outside the database fared with a checkpoint. */
export interface PlaceNews {
  readonly place: string;
  readonly kind: 'file' | 'bucket' | 'witness';
  /** Why it has not got it; null where it has. */
  readonly failure: string | null;
}

/** What to say of an error, in a line. */
export function failureOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
