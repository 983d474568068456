import { open, rm } from 'node:fs/promises';
import { readChecked } from '../store/read-checked.ts';
import type { Place } from './place.ts';
import type { ScanReader } from './scan-reader.ts';

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
