import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { DocketError } from '../errors.ts';
import { removeScanFile, writeScanFile } from '../sealing/scan-file.ts';
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
  let copying: Promise<{ file: string; sizeBytes: number }> | undefined;

  async function copy() {
    const file = join(await tempFolder(), name);
    const { candidate } = await tryCandidates({ candidates }, signal, (one) =>
      writeScanFile(scans, one, { file, signal, refuse: refuseTemp }),
    );
    return { file, sizeBytes: candidate.sizeBytes };
  }
  const file = async () => (await (copying ??= copy())).file;

  return {
    file,
    async *open() {
      yield* createReadStream(await file()) as AsyncIterable<Buffer>;
    },
    async remove() {
      // What could not be made needs no removal, and was told to whoever needed it.
      const made = await copying?.catch(() => undefined);
      if (made !== undefined) await removeScanFile(made.file, made.sizeBytes);
    },
  };
}

function refuseTemp(cause: unknown): never {
  throw new DocketError('TEMP_STORAGE_FAILED', `the temporary file could not be written: ${String(cause)}`, {
    cause,
  });
}
