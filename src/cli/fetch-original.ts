import { randomBytes } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import type { ReadOriginalRow } from '../db/commands.ts';
import { DocketError } from '../errors.ts';
import { toPlace } from '../sealing/place.ts';
import { writeScanFile } from '../sealing/scan-file.ts';
import type { ScanReader } from '../sealing/scan-reader.ts';

/** Throws FILE_EXISTS where there is something already. */
export async function refuseExisting(file: string): Promise<void> {
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  if (isThere)
    throw new DocketError('FILE_EXISTS', `${file} is there already`, { hint: 'name another file' });
}

/**
 * Reads an original from the first of its places that has it, into a draft beside the file, which gets its name once the bytes
 * are those of the hash: whatever happens, nothing else is left. Only its owner can read the file. Returns the place.
 * Throws what reading from the last place threw, FILE_EXISTS, FILE_UNWRITABLE, or the signal's reason.
 */
export async function fetchOriginal(
  reader: ScanReader,
  places: readonly [ReadOriginalRow, ...ReadOriginalRow[]],
  file: string,
  signal: AbortSignal,
): Promise<ReadOriginalRow> {
  const draft = `${file}.${randomBytes(8).toString('hex')}.part`;
  try {
    for (const [at, place] of places.entries()) {
      try {
        const scan = { ...toPlace(place, place.sha256), sizeBytes: Number(place.size_bytes) };
        const refuse = (error: unknown) => refuseUnwritable(draft, error);
        await writeScanFile(reader, scan, { file: draft, signal, refuse, isLasting: true });
        await refuseExisting(file);
        await rename(draft, file).catch((error: unknown) => refuseUnwritable(file, error));
        return place;
      } catch (error) {
        const isOfFile = error instanceof DocketError && error.code.startsWith('FILE_');
        if (signal.aborted || isOfFile || at === places.length - 1) throw error;
      }
    }
    throw new DocketError('INTERNAL_ERROR', 'no place was tried');
  } finally {
    await rm(draft, { force: true });
  }
}

/** Says that a file cannot be written. */
export function refuseUnwritable(file: string, cause: unknown): never {
  throw new DocketError('FILE_UNWRITABLE', `${file} cannot be written: ${String(cause)}`, { cause });
}
