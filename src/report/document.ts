/** A word and where it stands, in pixels of the upright page. */
export interface ReportWord {
  text: string;
  /** 0 to 100. */
  confidence: number;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** A page as it was read. */
export interface ReportPage {
  /** From 1. */
  number: number;
  verdict: 'text' | 'blank' | 'no_text';
  /** Mean over the words, 0 to 100. */
  confidence: number;
  /** Size in pixels of the page that the word boxes refer to. */
  width: number;
  height: number;
  /** Clockwise quarter turn in degrees that made the page upright, and the small angle taken out after it. */
  rotation: number;
  angle: number;
  text: string;
  words: readonly ReportWord[];
  /** A picture of the page as a viewer shows it, of any size; left out of the report above 768 KiB. */
  jpeg?: Uint8Array;
}

/** One event of a document's audit chain. */
export interface ReportEvent {
  /** ISO 8601 or PostgreSQL's text form, in UTC. */
  at: string;
  event: string;
  state: string;
  actor: string;
  reason?: string | undefined;
  code?: string | null;
  attempt?: number | null;
  /** In hex. */
  hash: string;
  /** Whether recomputing the hash over the event and its predecessor gave the stored one. */
  chainOk: boolean;
}

/** Why a document was set aside, and what its owner can do about it. */
export interface ReportFailure {
  code: string;
  meaning: string;
  remedy: string;
  /** What the worker said in this very case. */
  message?: string | undefined;
}

/** One signature, as it was found to be. */
export interface ReportSignature {
  /** `envelope`: delivered beside the scan; `embedded`: inside the scan. */
  place: string;
  format: string;
  /** `timestamp`: an authority states that the bytes were there; nobody signed by it. */
  purpose: string;
  status: string;
  /** What the status means, in words. */
  meaning: string;
  coverage: string | null;
  laterChanges: string | null;
  /** Whether it fits what it was made over, and whether that are bytes of this document: two answers. */
  isIntact: boolean | null;
  digestMatches: boolean | null;
  signer: string | null;
  /** Label of the anchor at which trust ended. */
  anchor: string | null;
  algorithm: string | null;
  signedAt: string | null;
  signedAtBy: string | null;
  /** For which time it was judged. */
  judgedAt: string;
  findings: readonly string[];
}

/**
 * What may be said of a document in two words. `signed`: a valid signature covers the whole of it; `received`: its bytes were
 * seen, and nothing more is proven; `claimed`: not even those.
 */
export type ReportStanding = 'signed' | 'received' | 'claimed';

/** What the sender was told last. */
export interface ReportReceipt {
  outcome: string;
  code: string | null;
  issuedAt: string;
}

/** A delivery and what became of it. */
export interface ReportDocument {
  file: string;
  jobId: string;
  kind: string;
  source: string;
  mediaType: string;
  sizeBytes: number;
  /** A state of the state machine, or `duplicate` for a further delivery of known bytes. */
  state: string;
  /** For a duplicate: the file under which the bytes came first. */
  duplicateOf?: string | undefined;
  /** SHA-256 in hex of the bytes as delivered; for a mismatch, of the bytes that were found. */
  sha256: string;
  /** What the sender stated, in hex, if it differs. */
  claimedSha256?: string | undefined;
  /** When the scan was taken and who signed the paper, as the sender states it. */
  stated: { capturedAt: string; signer?: string | undefined };
  standing: ReportStanding;
  /** Whether its newest replay failed. */
  isDisputed?: boolean | undefined;
  /** What can be said of its signatures, in a sentence. */
  statement: string;
  signatures: readonly ReportSignature[];
  receipt?: ReportReceipt | undefined;
  failure?: ReportFailure | undefined;
  pageCount: number;
  /** Mean over the words of all pages, or null when nothing was read. */
  confidence: number | null;
  firstWords: string;
  /** What read the pages: a readable name, the hash of its whole configuration, and the salted hash of its result. */
  reading?: { engine: string; configSha256: string; resultSha256?: string | undefined } | undefined;
  timeline: readonly ReportEvent[];
  /** Called once, when this document is written: so only one page need be in memory at a time. */
  pages(): AsyncIterable<ReportPage> | Iterable<ReportPage>;
}
