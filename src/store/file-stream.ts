import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';

const CHUNK_BYTES = 262_144;

/**
 * The bytes of an open file, from its first to its last. Unlike a stream of node:fs it passes every error through
 * `translate`, and closes the file however reading ends, even if it never began.
 */
export function streamFile(
  handle: FileHandle,
  options: { signal: AbortSignal; translate: (error: unknown) => Error },
): Readable {
  return new Readable({
    highWaterMark: CHUNK_BYTES,
    signal: options.signal,
    read() {
      handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null).then(
        ({ bytesRead, buffer }) => this.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead)),
        (error: unknown) => this.destroy(options.translate(error)),
      );
    },
    destroy(error, done) {
      handle.close().then(
        () => done(error),
        (closing: unknown) => done(error ?? options.translate(closing)),
      );
    },
  });
}
