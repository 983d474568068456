import type { Step } from './step.ts';

/** The document that is being verified: what its checks have in common. */
export interface DocumentCheck {
  readonly jobId: string;
  /** Where steps go. */
  readonly steps: Step[];
  /** A file in the folder of the document, where it is there. It counts as explained from then on. */
  take(name: string): Uint8Array | undefined;
}
