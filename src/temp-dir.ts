import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What `statfs` says of a file system in memory on Linux. */
const TMPFS = 0x01021994;
/** Where every Linux has one, though in some containers a very small one. */
const SHARED_MEMORY = '/dev/shm';
/** Less than this is no place for the scans of a worker. */
const ROOM_BYTES = 1024 ** 3;

/** What is known of the file system that holds a folder. */
export interface Volume {
  /** Whether it lies in memory, so that what is written to it never reaches a disk but by swapping. */
  isInMemory: boolean;
  freeBytes: number;
}

/**
 * Where scans are read from unless DOCKET_TEMP_DIR says otherwise: a folder of this user in memory, where there is one with
 * room. It is the system's folder for temporary files if that lies in memory, else /dev/shm, else that folder on disk.
 * Short, because the path of a Unix socket inside it may not be longer than about a hundred bytes.
 */
export function defaultTempDir(
  folder = tmpdir(),
  look: (folder: string) => Volume | undefined = volumeOf,
): string {
  const shared = look(SHARED_MEMORY);
  const hasRoom = shared !== undefined && shared.isInMemory && shared.freeBytes >= ROOM_BYTES;
  const chosen = !look(folder)?.isInMemory && hasRoom ? SHARED_MEMORY : folder;
  return join(chosen, `docket-${process.getuid?.() ?? 0}`);
}

/** The file system that holds a folder; undefined where the folder is missing or may not be written to. */
export function volumeOf(folder: string): Volume | undefined {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    const { type, bavail, bsize } = statfsSync(folder);
    return { isInMemory: process.platform === 'linux' && type === TMPFS, freeBytes: bavail * bsize };
  } catch {
    return undefined;
  }
}
