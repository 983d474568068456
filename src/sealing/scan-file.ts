import { closeSync, openSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { open, rm, unlink } from 'node:fs/promises';
import { readChecked } from '../store/read-checked.ts';
import type { Place } from './place.ts';
import type { ScanReader } from './scan-reader.ts';

/** A scan of so many bytes is written, or removed, in less time than it takes to wake a thread that does it. */
const SMALL_BYTES = 65_536;

/**
 * Leaves the bytes of a scan in a new file that only its owner can read, or throws and leaves none: what readChecked throws, or
 * what `refuse` makes of an error of the file.
 */
export async function writeScanFile(
  scans: ScanReader,
  place: Place & { readonly sizeBytes: number },
  options: {
    file: string;
    signal: AbortSignal;
    refuse: (error: unknown) => never;
    /** Whether the file must outlast a crash of the machine. */
    isLasting?: boolean;
  },
): Promise<void> {
  const { file, signal, refuse, isLasting = false } = options;
  if (place.sizeBytes <= SMALL_BYTES && !isLasting) {
    const pieces: Buffer[] = [];
    const take = (piece: Buffer) => void pieces.push(piece);
    await readChecked((opening) => scans.open(place, opening), place, { signal, take });
    try {
      writeSmall(file, Buffer.concat(pieces));
    } catch (error) {
      refuse(error);
    }
    return;
  }
  const handle = await open(file, 'wx', 0o600).catch(refuse);
  try {
    const take = (piece: Buffer) => handle.writeFile(piece).catch(refuse);
    await readChecked((opening) => scans.open(place, opening), place, { signal, take });
    if (isLasting) await handle.sync();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Removes a file that writeScanFile made for a scan of that size, unless somebody else did. */
export async function removeScanFile(file: string, sizeBytes: number): Promise<void> {
  try {
    if (sizeBytes <= SMALL_BYTES) unlinkSync(file);
    else await unlink(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function writeSmall(file: string, bytes: Buffer): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
