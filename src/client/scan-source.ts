import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { DocketError } from '../errors.ts';

/** Where the bytes of a scan come from. */
export interface ScanSource {
  /** Hex digits; undefined where nobody knows it before the bytes were read. */
  readonly sha256: string | undefined;
  readonly sizeBytes: number | undefined;
  /** Whether `open` may be called again. */
  readonly isRepeatable: boolean;
  open(): AsyncIterable<Uint8Array>;
}

/**
 * Looks at a scan before it is sent. Bytes in memory and files are hashed, so that what arrives is compared with what was
 * meant; a stream can be read once only and goes as it comes. Throws FILE_UNREADABLE.
 */
export async function openScan(given: {
  bytes?: Uint8Array | AsyncIterable<Uint8Array> | undefined;
  file?: string | undefined;
  sha256?: string | undefined;
}): Promise<ScanSource> {
  const { bytes, file } = given;
  if (file !== undefined) return openFile(file, given.sha256);
  if (bytes instanceof Uint8Array) {
    return {
      sha256: given.sha256 ?? createHash('sha256').update(bytes).digest('hex'),
      sizeBytes: bytes.length,
      isRepeatable: true,
      open: () => once(bytes),
    };
  }
  if (bytes === undefined) throw new DocketError('CLIENT_INPUT', 'expected either bytes or file');
  return { sha256: given.sha256, sizeBytes: undefined, isRepeatable: false, open: () => bytes };
}

async function openFile(file: string, sha256: string | undefined): Promise<ScanSource> {
  /** Opened when the first chunk is asked for, so that nothing stays open where none is. */
  async function* open(): AsyncGenerator<Uint8Array> {
    yield* createReadStream(file) as AsyncIterable<Uint8Array>;
  }
  try {
    const { size } = await stat(file);
    if (sha256 !== undefined) return { sha256, sizeBytes: size, isRepeatable: true, open };
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of open()) {
      hash.update(chunk);
      sizeBytes += chunk.length;
    }
    return { sha256: hash.digest('hex'), sizeBytes, isRepeatable: true, open };
  } catch (cause) {
    throw new DocketError('FILE_UNREADABLE', `${file} cannot be read: ${String(cause)}`, { cause });
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
