import { createHash } from 'node:crypto';
import type { DigestAlgorithm } from '../asn1/algorithms.ts';
import type { Message } from '../message/verify-message.ts';

/** What a signature was, or should have been, made over: a document, the ranges of a PDF, or another signature. */
export interface Content extends Message {
  /** Where it is known already, so that it needs not be read for it. */
  readonly sha256?: Uint8Array;
}

/** Computes digests of one content, each of them once. */
export function contentDigests(
  content: Content,
  signal: AbortSignal,
): (algorithm: DigestAlgorithm) => Promise<Buffer> {
  const digests = new Map<string, Promise<Buffer>>();
  if (content.sha256) digests.set('sha256', Promise.resolve(Buffer.from(content.sha256)));
  return (algorithm) => {
    const digest = digests.get(algorithm.hash) ?? readDigest(content, algorithm, signal);
    digests.set(algorithm.hash, digest);
    return digest;
  };
}

/** Digest of bytes in memory. */
export function digestOf(bytes: Uint8Array, { hash, outputLength }: DigestAlgorithm): Buffer {
  return createHash(hash, { outputLength }).update(bytes).digest();
}

async function readDigest(
  content: Content,
  { hash, outputLength }: DigestAlgorithm,
  signal: AbortSignal,
): Promise<Buffer> {
  const digest = createHash(hash, { outputLength });
  for await (const piece of content.open()) {
    signal.throwIfAborted();
    digest.update(piece);
  }
  return digest.digest();
}
