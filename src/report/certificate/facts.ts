import type { ReportEvent, ReportSignature } from '../document.ts';

/** A delivery as its sender stated it; only the times of receipt and the login are Docket's own. */
export interface StatedDelivery {
  readonly deliveryId: string;
  readonly source: string;
  readonly submittedBy: string;
  readonly receivedAt: string;
  readonly kind: string;
  readonly capturedAt: string;
  readonly documentDate: string | null;
  /** Number of the scan in the count of its source. */
  readonly scanNumber: string | null;
  /** Who signed the paper: JSON, to the letter. */
  readonly signer: string;
}

/** What was read from the document, in numbers. */
export interface ReadingFacts {
  readonly pages: number;
  readonly characters: number;
  /** Mean, 0 to 100. */
  readonly confidence: number;
  readonly resultSha256: string;
  readonly configSha256: string;
  /** Results that were published before and that this one, or one between, superseded; in their order. */
  readonly superseded: readonly SupersededReading[];
}

/** A result that another one superseded: it stays recorded. */
export interface SupersededReading {
  readonly resultSha256: string;
  readonly publishedAt: string;
  readonly supersededAt: string;
}

/** The newest checkpoint, and how far the document is under it. */
export interface CheckpointFacts {
  /** The signed note, to the letter. */
  readonly note: string;
  readonly origin: string;
  readonly size: string;
  readonly recordedAt: string;
  /** Events of the document, from the first, whose inclusion was proven against this checkpoint. */
  readonly includedEvents: number;
}

/** Somewhere outside the database where checkpoints are kept, as the signer says. */
export interface CheckpointPlace {
  readonly place: string;
  readonly kind: string;
  /** Leaves that the newest checkpoint there counts; null where it never took one. */
  readonly size: string | null;
  readonly copiedAt: string | null;
  /** How it last failed, where it has not succeeded since. */
  readonly failure: string | null;
}

/** The newest replay that looked at the document. */
export interface ReplayFacts {
  readonly replayId: number;
  readonly outcome: string;
  readonly at: string;
  /** Whether the text was recognised anew and compared. */
  readonly isReread: boolean;
}

/** One check of the database, made for this certificate; none of them failed, or there would be no certificate. */
export interface MadeCheck {
  readonly checked: string;
  readonly count: string;
}

/** All that a certificate says of a document. Times are PostgreSQL's text form or ISO 8601, in UTC; hashes are hex. */
export interface CertificateFacts {
  readonly madeAt: string;
  readonly madeBy: string;
  readonly jobId: string;
  readonly state: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** As found in the bytes. */
  readonly mediaType: string;
  readonly verifiedAt: string;
  /** What can be said of its signatures, in a sentence. */
  readonly statement: string;
  readonly isSigned: boolean;
  readonly signatures: readonly ReportSignature[];
  /** Undefined where no text was published. */
  readonly reading: ReadingFacts | undefined;
  readonly deliveries: readonly StatedDelivery[];
  readonly timeline: readonly ReportEvent[];
  readonly checks: readonly MadeCheck[];
  /** Undefined while no checkpoint was signed. */
  readonly checkpoint: CheckpointFacts | undefined;
  readonly places: readonly CheckpointPlace[];
  /** Undefined where none has looked at it. */
  readonly replay: ReplayFacts | undefined;
}
