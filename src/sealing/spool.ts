import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DocketError } from '../errors.ts';

/** Bytes that were set aside, to be read as often as needed. */
export interface Spooled {
  readonly sha256: Buffer;
  readonly sizeBytes: number;
  bytes(): AsyncIterable<Uint8Array>;
  /** Removes them. Never rejects. */
  remove(): Promise<void>;
}

/** Secrecy alone: what is read back is hashed again by whoever seals it. */
const CIPHER = 'aes-256-ctr';
const CHUNK_BYTES = 65_536;

/**
 * Sets bytes of unknown hash aside in a file, encrypted by a key that lives in this process only: what a killed process
 * leaves behind can be read by nobody. Throws OBJECT_TOO_LARGE, TEMP_STORAGE_FAILED, what `bytes` throws, or the reason of
 * the signal; then nothing is left.
 */
export async function spool(
  bytes: AsyncIterable<Uint8Array>,
  { folder, maxBytes, signal }: { folder: string; maxBytes: number; signal: AbortSignal },
): Promise<Spooled> {
  const file = join(folder, `spool-${randomBytes(12).toString('hex')}`);
  const key = randomBytes(32);
  const iv = randomBytes(16);
  const remove = () => {
    key.fill(0);
    return rm(file, { force: true }).catch(() => undefined);
  };
  const handle = await open(file, 'wx', 0o600).catch(refuseTemp);
  try {
    const written = await write(handle, bytes, { cipher: createCipheriv(CIPHER, key, iv), maxBytes, signal });
    return { ...written, remove, bytes: () => read(file, () => createDecipheriv(CIPHER, key, iv)) };
  } catch (error) {
    await remove();
    throw error;
  } finally {
    await handle.close();
  }
}

async function write(
  handle: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
  options: { cipher: ReturnType<typeof createCipheriv>; maxBytes: number; signal: AbortSignal },
): Promise<{ sha256: Buffer; sizeBytes: number }> {
  const { cipher, maxBytes, signal } = options;
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const piece of bytes) {
    signal.throwIfAborted();
    sizeBytes += piece.length;
    if (sizeBytes > maxBytes) {
      throw new DocketError('OBJECT_TOO_LARGE', `there are more than ${maxBytes} bytes`, {
        hint: 'raise DOCKET_OBJECT_MAX_MB, or split the file',
      });
    }
    hash.update(piece);
    await handle.writeFile(cipher.update(piece)).catch(refuseTemp);
  }
  return { sha256: hash.digest(), sizeBytes };
}

async function* read(
  file: string,
  start: () => ReturnType<typeof createDecipheriv>,
): AsyncGenerator<Uint8Array> {
  const decipher = start();
  const handle = await open(file, 'r').catch(refuseTemp);
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle
        .read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, null)
        .catch(refuseTemp);
      if (bytesRead === 0) return;
      yield decipher.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

function refuseTemp(cause: unknown): never {
  throw new DocketError('TEMP_STORAGE_FAILED', `the temporary file could not be used: ${String(cause)}`, {
    cause,
  });
}
