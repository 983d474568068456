import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fromFileSystem } from './file-errors.ts';

const CHUNK_BYTES = 262_144;

/** Bytes that were kept to be sent, as often as needed, once their size and hashes are known. */
export interface DraftFile {
  readonly sizeBytes: number;
  readonly sha256: Buffer;
  readonly md5: Buffer;
  /** All bytes, from the first; calls `touch` whenever some were taken. */
  read(touch: () => void): Readable;
  close(): Promise<void>;
}

/**
 * Writes bytes into a file that loses its name at once, so that nothing is left of it however the process ends.
 * Errors of the file system are TEMP_STORAGE_FAILED or STORE_…; those of the source pass as they are.
 */
export async function writeDraft(folder: string, bytes: AsyncIterable<Uint8Array>): Promise<DraftFile> {
  const path = join(folder, randomBytes(16).toString('hex'));
  const failed = (error: unknown) => fromFileSystem(error, 'writing', 'a draft of a new object');
  const handle = await mkdir(folder, { recursive: true, mode: 0o700 })
    .then(() => open(path, 'wx+', 0o600))
    .catch((error: unknown) => Promise.reject(failed(error)));
  try {
    await unlink(path);
    const sha256 = createHash('sha256');
    const md5 = createHash('md5');
    let sizeBytes = 0;
    for await (const piece of bytes) {
      sha256.update(piece);
      md5.update(piece);
      sizeBytes += piece.length;
      await handle.writeFile(piece).catch((error: unknown) => Promise.reject(failed(error)));
    }
    async function* pieces(touch: () => void): AsyncGenerator<Buffer> {
      for (let position = 0; position < sizeBytes;) {
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), { position });
        if (bytesRead === 0) throw new Error('the draft of an object became shorter');
        position += bytesRead;
        touch();
        yield buffer.subarray(0, bytesRead);
      }
    }
    return {
      sizeBytes,
      sha256: sha256.digest(),
      md5: md5.digest(),
      read: (touch) => Readable.from(pieces(touch), { objectMode: false, highWaterMark: CHUNK_BYTES }),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
