import type { NodeMaterialsManager } from '@aws-crypto/client-node';
import type { Readable } from 'node:stream';
import { PassThrough, pipeline, Readable as Stream } from 'node:stream';
import { DocketError } from '../errors.ts';
import { checkFraming, damaged } from './framing.ts';
import type { Context, Sdk } from './message.ts';
import { decryptingStream, FRAME_BYTES } from './message.ts';

/**
 * The plaintext of a message. Each frame was authenticated before it is passed on, and `accept` has seen the authenticated
 * context before the first; but that nothing is missing is known only when the stream ended without an error. Errors are
 * those of `sealed`, of `accept`, the reason of the signal, or OBJECT_DAMAGED.
 */
export function decipher(
  sdk: Sdk,
  sealed: Readable,
  options: {
    manager: NodeMaterialsManager;
    accept: (context: Context) => void;
    isSigned?: boolean;
    signal: AbortSignal;
  },
): Readable {
  const { manager, accept, isSigned = false, signal } = options;
  let storeError: unknown;
  async function* framed(): AsyncGenerator<Uint8Array> {
    yield* checkFraming(fromStore());
  }
  async function* fromStore(): AsyncGenerator<Uint8Array> {
    try {
      yield* sealed;
    } catch (error) {
      storeError = error;
      throw error;
    }
  }

  const message = decryptingStream(sdk, manager, isSigned);
  // The SDK turns what a listener throws into the error of its stream, before anything is decrypted.
  message.once('MessageHeader', (header: { encryptionContext: Context }) => accept(header.encryptionContext));
  // It may tell of an error after the pipeline has ended with another one.
  message.on('error', () => undefined);

  const abort = () => plain.destroy(signal.reason as Error);
  const plain = new PassThrough({
    highWaterMark: FRAME_BYTES,
    destroy(error, done) {
      signal.removeEventListener('abort', abort);
      done(error && translate(error));
    },
  });
  const translate = (error: Error): Error =>
    signal.aborted
      ? (signal.reason as Error)
      : error === storeError || error instanceof DocketError
        ? error
        : damaged('the object does not decrypt', error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const source = Stream.from(framed(), { objectMode: false, highWaterMark: FRAME_BYTES });
  pipeline(source, message, plain, () => {
    if (!sealed.destroyed) sealed.destroy();
  });
  return plain;
}
