import type { DigestAlgorithm } from '../asn1/algorithms.ts';
import type { SignedStatement } from './attributes.ts';
import type { Content } from './content.ts';
import type { SignedData, SignerInfo } from './structure.ts';
import type { Finding } from '../findings.ts';
import type { SignatureReport } from '../signature.ts';
import type { TimeStamp } from './timestamp-token.ts';
import type { Trust } from '../trust.ts';

/** When authorities say that a signature was there, and what is wrong with what they say. */
export interface StampedTime {
  readonly at: Date | null;
  readonly findings: readonly Finding[];
}

/** What a document that holds its signature says beside it. */
export interface BesideSignature {
  /** When it was signed, as the signer states. */
  readonly signedAt: Date | null;
  /** When a trusted time-stamp over the document says that the signature was there. */
  readonly stampedAt: Date | null;
  /** Certificates to build paths of; none is trusted for lying there. */
  readonly certificates: readonly Buffer[];
  readonly revocationLists: readonly Uint8Array[];
}

/** One signature of signed data. */
export interface SignerPart {
  readonly signed: SignedData;
  readonly signer: SignerInfo;
  /** Null where the content is signed without any attributes. */
  readonly statement: SignedStatement | null;
  /** What is enclosed, where it is a time-stamp. */
  readonly stamp: TimeStamp | null;
  readonly stamped: StampedTime;
  readonly content: Content;
  documentDigest(algorithm: DigestAlgorithm): Promise<Buffer>;
  readonly trust: Trust;
  readonly signal: AbortSignal;
  readonly format: SignatureReport['format'];
  readonly expect?: 'detached' | 'timestamp' | undefined;
  readonly beside?: BesideSignature | undefined;
}
