import { createReadStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DocketError } from '../errors.ts';
import { writeScanFile } from '../sealing/scan-file.ts';
import type { ScanReader } from '../sealing/scan-reader.ts';
import type { Candidate } from './attempt.ts';
import { tryCandidates } from './try-candidates.ts';

/** A private copy of a scan, made when somebody first needs it, from bytes that were seen to have their hash. */
export interface ScanCopy {
  /** Rejects with what tryCandidates throws, or TEMP_STORAGE_FAILED. */
  file(): Promise<string>;
  /** The bytes from the start, each time it is called. */
  open(): AsyncIterable<Uint8Array>;
  remove(): Promise<void>;
}

export function createScanCopy(options: {
  scans: ScanReader;
  candidates: readonly Candidate[];
  /** Of the file, in a folder of this process alone; no other copy there may have it. */
  name: string;
  tempFolder: () => Promise<string>;
  signal: AbortSignal;
}): ScanCopy {
  const { scans, candidates, name, tempFolder, signal } = options;
  let copying: Promise<string> | undefined;

  async function copy(): Promise<string> {
    const file = join(await tempFolder(), name);
    await tryCandidates({ candidates }, signal, (candidate) =>
      writeScanFile(scans, candidate, { file, signal, refuse: refuseTemp }),
    );
    return file;
  }
  const file = () => (copying ??= copy());

  return {
    file,
    async *open() {
      yield* createReadStream(await file()) as AsyncIterable<Buffer>;
    },
    async remove() {
      // What could not be made needs no removal, and was told to whoever needed it.
      const made = await copying?.catch(() => undefined);
      if (made === undefined) return;
      await unlink(made).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      });
    },
  };
}

function refuseTemp(cause: unknown): never {
  throw new DocketError('TEMP_STORAGE_FAILED', `the temporary file could not be written: ${String(cause)}`, {
    cause,
  });
}
