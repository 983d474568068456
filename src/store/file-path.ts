import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { lstat, open, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { DocketError } from '../errors.ts';
import { fromFileSystem, isErrno } from './file-errors.ts';
import type { FileRoot } from './file-root.ts';
import { MARKER } from './file-root.ts';

/** Opens a regular file below the root; links on the way that lead out of it are refused. */
export async function openInside(root: string, key: string): Promise<FileHandle> {
  const path = await inside(root, join(root, key), key);
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw notAFile(key);
}

/** Where a regular file lies whose name is to be removed: in a folder below the root, and no link itself. */
export async function nameInside(root: string, key: string): Promise<string> {
  const name = join(root, key);
  const folder = await inside(root, dirname(name), key);
  const path = join(folder, basename(name));
  if (!(await lstat(path)).isFile()) throw notAFile(key);
  return path;
}

/** An error of reading below a root. A root that vanished is a disk that is not mounted, not an object that never was. */
export async function fromReading(error: unknown, root: FileRoot, locator: string): Promise<Error> {
  if (isErrno(error, 'ENOENT')) {
    const away = await root.require().then(
      () => undefined,
      (cause: unknown) => cause,
    );
    if (away instanceof Error) return away;
  }
  return fromFileSystem(error, 'reading', locator);
}

async function inside(root: string, path: string, key: string): Promise<string> {
  if (key === MARKER) throw notAFile(key);
  const base = await realpath(root);
  const real = await realpath(path);
  if (real === base || real.startsWith(base + sep)) return real;
  throw new DocketError('LOCATOR_INVALID', `file:${key} leads out of the store`);
}

function notAFile(key: string): DocketError {
  return new DocketError('LOCATOR_INVALID', `file:${key} is not a file`);
}
