import { createVerify, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { SignatureScheme } from './signature-scheme.ts';

/** The bytes that a signature was made over. */
export interface Message {
  readonly sizeBytes: number;
  /** Reads them from the start, each time it is called. */
  open(): AsyncIterable<Uint8Array>;
}

/** Bytes that are held anyway. */
export function bytesAsMessage(bytes: Uint8Array): Message {
  return {
    sizeBytes: bytes.length,
    async *open() {
      yield bytes;
    },
  };
}

/** A key that may have signed, and how. */
export interface Attempt {
  readonly key: KeyObject;
  readonly scheme: SignatureScheme;
}

/** The most bytes that are held at once for schemes which take the whole message. */
export const WHOLE_MESSAGE_LIMIT = 64 * 1024 * 1024;

const verifyInThePool = promisify<string | null, Buffer, KeyObject, Uint8Array, boolean>(verify);

/** The last message that was asked to be held whole: the next one waits for it. */
let lastWhole: Promise<unknown> = Promise.resolve();

/** Those attempts by which the signature fits the message, which is read once for each kind of scheme. */
export async function verifyMessage<Tried extends Attempt>(
  attempts: readonly Tried[],
  signature: Uint8Array,
  message: Message,
  signal: AbortSignal,
): Promise<Tried[]> {
  const streamed = attempts.filter(({ scheme }) => scheme.digest !== null);
  const whole = attempts.filter(({ scheme }) => scheme.digest === null);
  const fitting: Tried[] = [];
  if (streamed.length > 0) fitting.push(...(await verifyStreamed(streamed, signature, message, signal)));
  if (whole.length > 0) {
    const turn = lastWhole.then(() => verifyWhole(whole, signature, message, signal));
    lastWhole = turn.catch(() => undefined);
    fitting.push(...(await turn));
  }
  return fitting;
}

async function verifyStreamed<Tried extends Attempt>(
  attempts: readonly Tried[],
  signature: Uint8Array,
  message: Message,
  signal: AbortSignal,
): Promise<Tried[]> {
  const verifiers = attempts.map(({ scheme }) => createVerify(scheme.digest ?? ''));
  for await (const piece of message.open()) {
    signal.throwIfAborted();
    for (const verifier of verifiers) verifier.update(piece);
  }
  return attempts.filter(({ key, scheme }, index) => {
    try {
      return verifiers[index]?.verify({ key, ...scheme.options }, signature) ?? false;
    } catch {
      return false; // OpenSSL refuses some broken signatures by an error.
    }
  });
}

async function verifyWhole<Tried extends Attempt>(
  attempts: readonly Tried[],
  signature: Uint8Array,
  message: Message,
  signal: AbortSignal,
): Promise<Tried[]> {
  const bytes = Buffer.alloc(message.sizeBytes);
  let end = 0;
  for await (const piece of message.open()) {
    signal.throwIfAborted();
    bytes.set(piece, end);
    end += piece.length;
  }
  const fitting: Tried[] = [];
  for (const attempt of attempts) {
    signal.throwIfAborted();
    const isRight = await verifyInThePool(null, bytes, attempt.key, signature).catch(() => false);
    if (isRight) fitting.push(attempt);
  }
  return fitting;
}
