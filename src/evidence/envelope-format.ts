import type { SignatureReport } from './signature.ts';
import type { Trust } from './trust.ts';

/** The bytes of a document, seen before to have its hash. */
export interface SignedContent {
  readonly sha256: Uint8Array;
  readonly sizeBytes: number;
  /** Reads the bytes from the start, each time it is called; memory holds a piece of them at a time. */
  open(): AsyncIterable<Uint8Array>;
}

/** One format of envelopes that lie beside a document. Each has a file in a folder here, and an entry in check-envelope.ts. */
export interface EnvelopeFormat {
  /** Whether the bytes look like this format, from their first ones: no promise that they can be read. */
  recognises(envelope: Uint8Array): boolean;
  /**
   * Reports each signature of the envelope; one report `malformed` if it cannot be read. Never throws for what the envelope
   * holds; rejects only if the content cannot be read or `signal` is aborted.
   */
  check(
    envelope: Uint8Array,
    content: SignedContent,
    trust: Trust,
    signal: AbortSignal,
  ): Promise<readonly SignatureReport[]>;
}
