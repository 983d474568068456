import { lstat, mkdir, opendir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DocketError } from '../errors.ts';
import { syncFolder } from './file-draft.ts';
import { fromFileSystem, isErrno } from './file-errors.ts';

/** The file that says of a folder that it is the store, and not the place where a share or a disk is to be mounted. */
export const MARKER = '.docket-store';

const WHAT_IT_IS =
  'This folder is an object store of Docket. Keep this file: without it the store counts as not mounted.\n';

/** What to do where the marker is missing. */
export const IF_AWAY = `mount it, or correct DOCKET_STORE; to begin with a new, empty folder, make it with an empty file ${MARKER} in it`;

/** What nobody put there. */
const OF_THE_FILE_SYSTEM = 'lost+found';

/** The folder of a file store, which counts as away while its marker is. */
export interface FileRoot {
  /**
   * Throws STORE_UNAVAILABLE where the marker is missing. A folder that holds objects and was never seen with a marker is
   * of an earlier version, and gets one; one that is absent or empty gets one only if the root may begin.
   */
  require(): Promise<void>;
}

/** The root in `folder`. `mayBegin`: whether an absent or empty folder may become the store; never once it was one. */
export function fileRoot(folder: string, { mayBegin }: { mayBegin: boolean }): FileRoot {
  let isKnown = false;
  return {
    async require() {
      try {
        if (await hasMarker(folder)) {
          isKnown = true;
          return;
        }
        if (!isKnown && (await holdsObjects(folder))) {
          // Who may only read goes on reading.
          isKnown = await mark(folder).catch(() => false);
          return;
        }
        if (!isKnown && mayBegin) {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          isKnown = await mark(folder);
          return;
        }
      } catch (error) {
        throw fromFileSystem(error, 'writing', 'the folder of the object store');
      }
      throw new DocketError(
        'STORE_UNAVAILABLE',
        `the folder of the object store is missing or has no ${MARKER}`,
        { hint: IF_AWAY },
      );
    },
  };
}

/** Whether a folder has the marker of a store. */
export function hasMarker(folder: string): Promise<boolean> {
  return isThere(join(folder, MARKER));
}

async function mark(folder: string): Promise<true> {
  await writeFile(join(folder, MARKER), WHAT_IT_IS, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if (!isErrno(error, 'EEXIST')) throw error;
  });
  await syncFolder(folder);
  return true;
}

async function holdsObjects(folder: string): Promise<boolean> {
  try {
    for await (const { name } of await opendir(folder)) {
      if (!name.startsWith('.') && name !== OF_THE_FILE_SYSTEM) return true;
    }
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
  return false;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (!isAbsence(error)) throw error;
    return false;
  }
}

function isAbsence(error: unknown): boolean {
  return isErrno(error, 'ENOENT') || isErrno(error, 'ENOTDIR');
}
