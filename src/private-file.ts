import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DocketError } from './errors.ts';

/** Rights of a file that its owner alone may read. */
const PRIVATE = 0o600;

/** The text of a file that only its owner may read. Throws the given code for one that others may read; ENOENT as it is. */
export async function readPrivateFile(
  file: string,
  { code, hint }: { code: string; hint: string },
): Promise<string> {
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0) {
    throw new DocketError(code, `others than its owner may read ${file}`, {
      hint: `if nobody has copied it: chmod 600 ${file}; ${hint}`,
    });
  }
  return readFile(file, 'utf8');
}

/**
 * Writes a file, 0600, with its folder unless that must be there: whole or not at all, and never in the place of another.
 * Several processes may come to this point at once; answers whether it was this one whose file stays.
 */
export async function makePrivateFile(
  file: string,
  text: string | Uint8Array,
  { folder = 'made' }: { folder?: 'made' | 'must be there' } = {},
): Promise<boolean> {
  if (folder === 'made') await mkdir(dirname(file), { recursive: true });
  return withDraft(file, text, async (draft) => {
    try {
      await link(draft, file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return false;
    }
  });
}

/** Writes a file, 0600, in the place of the one that is there; whoever reads it sees the one or the other, never a part. */
export async function replacePrivateFile(file: string, text: string): Promise<void> {
  await withDraft(file, text, (draft) => rename(draft, file));
}

/**
 * Changes a file while nobody else who does it by this function can: a file beside it says so. Throws the given code where there
 * is one already.
 */
export async function changeAlone<T>(file: string, code: string, change: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  try {
    await (await open(lock, 'wx', PRIVATE)).close();
  } catch (error) {
    throw new DocketError(code, `${lock} is there already, or cannot be made`, {
      cause: error,
      hint: 'somebody changes the key file: wait; if nobody does, remove that file',
    });
  }
  try {
    return await change();
  } finally {
    await rm(lock, { force: true });
  }
}

async function withDraft<T>(
  file: string,
  text: string | Uint8Array,
  keep: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', PRIVATE);
  try {
    await handle.writeFile(text);
    await handle.sync();
    const kept = await keep(draft);
    await syncFolder(dirname(file));
    return kept;
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
