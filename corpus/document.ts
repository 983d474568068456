/** How a document is to end: published, a second delivery of known bytes, or set aside for a stated reason. */
export type ExpectedEnd =
  { state: 'published' } | { state: 'duplicate'; of: string } | { state: 'quarantined'; code: string };

/** What a recipe makes. */
export interface Built {
  bytes: Buffer;
  /** The printed text, page by page; absent where nothing is to be read. */
  truth?: readonly (readonly string[])[];
}

/** One file of the corpus and how it is made. */
export interface CorpusDocument {
  file: string;
  /** The document kind a sender would state. */
  kind: string;
  /** The sender, by name. */
  source: string;
  mediaType: string;
  /** Pages a reader of the whole file would see. */
  pages: number;
  exercises: string;
  expected: ExpectedEnd;
  /** The sender's claim, in hex, where it differs from the truth. */
  claimedSha256?: string;
  build(): Promise<Built>;
}
