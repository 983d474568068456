import { createHash, hash as hashOf } from 'node:crypto';
import type { Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { DocketError } from '../errors.ts';

/** Opens an object for reading from its first byte. */
export type Open = (options: { signal: AbortSignal }) => Promise<Readable>;

/**
 * Reads an object from its first byte to its last, handing each piece to `take`, and refuses it unless it has the stated
 * size and SHA-256. Reading stops as soon as it is too long. So whatever `take` kept is only to be believed once this
 * resolves. Throws SIZE_MISMATCH, HASH_MISMATCH, what `open` and `take` throw, or the signal's reason.
 */
export async function readChecked(
  open: Open,
  stated: { sha256: Buffer; sizeBytes: number },
  options: { signal: AbortSignal; take: (piece: Buffer) => void | Promise<void> },
): Promise<void> {
  const { signal, take } = options;
  signal.throwIfAborted();
  let hash: Hash | undefined;
  let digest: Buffer | undefined;
  let sizeBytes = 0;
  const { promise: opened, resolve, reject } = Promise.withResolvers<Readable>();
  let stream: Readable | undefined;
  // A store may answer neither to being asked nor to the signal.
  const giveUp = () => {
    reject(signal.reason);
    stream?.destroy(signal.reason as Error);
  };
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    open({ signal }).then((opening) => {
      stream = opening;
      // Whoever reads the stream is told of its errors; one that comes too late to be read has nobody else to listen.
      stream.on('error', () => undefined);
      if (signal.aborted) giveUp();
      resolve(stream);
    }, reject);
    for await (const piece of await opened) {
      sizeBytes += (piece as Buffer).length;
      if (sizeBytes > stated.sizeBytes) break;
      // What comes in one piece is hashed at once, which takes less than to make what hashes piece by piece.
      if (sizeBytes === stated.sizeBytes && !hash) digest ??= hashOf('sha256', piece as Buffer, 'buffer');
      else (hash ??= createHash('sha256')).update(piece as Buffer);
      const taken = take(piece as Buffer);
      if (taken) await taken;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
  if (sizeBytes !== stated.sizeBytes) {
    const found = sizeBytes > stated.sizeBytes ? 'more' : String(sizeBytes);
    throw new DocketError('SIZE_MISMATCH', `${stated.sizeBytes} bytes were stated, the object has ${found}`);
  }
  digest ??= (hash ?? createHash('sha256')).digest();
  if (!digest.equals(stated.sha256)) {
    const found = digest.toString('hex');
    throw new DocketError('HASH_MISMATCH', `the object hashes to ${found}`, { data: { found } });
  }
}
