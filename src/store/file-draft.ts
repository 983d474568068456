import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DocketError } from '../errors.ts';
import { isErrno } from './file-errors.ts';
import { locatorOf } from './locator.ts';
import type { StoredObject } from './store.ts';

/** Half-written objects stay here, in the same file system, out of reach of locators made of hex digits. */
export const INCOMING = '.incoming';

/** A draft that was not written to for so long belongs to a process that has died. */
const ABANDONED_AFTER_MS = 24 * 3_600_000;

interface Written {
  sha256: Buffer;
  sizeBytes: number;
}

/**
 * Writes bytes into a draft below the root, syncs it, and gives it its name; whatever happens, no draft remains. `requireRoot`
 * throws where the root is away: it is asked again once the bytes have come, which can be long after.
 */
export async function writeObject(
  root: string,
  folder: string | undefined,
  bytes: AsyncIterable<Uint8Array>,
  requireRoot: () => Promise<void>,
): Promise<StoredObject> {
  await requireRoot();
  const incoming = join(root, INCOMING);
  await makeFolder(incoming);
  const draft = join(incoming, randomBytes(16).toString('hex'));
  try {
    const written = await write(draft, bytes);
    await requireRoot();
    return await keep(root, folder, draft, written);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes the drafts of processes that were killed while they wrote. */
export async function removeAbandonedDrafts(root: string): Promise<void> {
  const incoming = join(root, INCOMING);
  const names = await readdir(incoming).catch((): string[] => []);
  for (const name of names) {
    const draft = join(incoming, name);
    const age = await stat(draft).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > ABANDONED_AFTER_MS) await rm(draft, { force: true });
  }
}

/** Makes what happened in a folder durable: names that came or went. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes one folder in one that is there: never the root, which is missing where a share is not mounted. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (!isErrno(error, 'EEXIST')) throw error;
  });
}

async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<Written> {
  const handle = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of bytes) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      await handle.writeFile(chunk);
    }
    await handle.sync();
    return { sha256: hash.digest(), sizeBytes };
  } finally {
    await handle.close();
  }
}

/** Gives a written file its name. One that is there already must hold the same bytes: it is neither trusted nor replaced. */
async function keep(
  root: string,
  below: string | undefined,
  draft: string,
  written: Written,
): Promise<StoredObject> {
  const hex = written.sha256.toString('hex');
  const locator = locatorOf('file:', below, `${hex.slice(0, 2)}/${hex}`);
  const folders = locator.slice('file:'.length).split('/').slice(0, -1);
  const path = join(root, ...folders, hex);
  for (let depth = 1; depth <= folders.length; depth += 1)
    await makeFolder(join(root, ...folders.slice(0, depth)));
  try {
    await link(draft, path);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    await refuseOtherContent(path, written.sha256);
  }
  for (let depth = folders.length; depth >= 0; depth -= 1)
    await syncFolder(join(root, ...folders.slice(0, depth)));
  return { locator, version: null, ...written };
}

async function refuseOtherContent(path: string, sha256: Buffer): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const hash = createHash('sha256');
  // The stream closes the file.
  for await (const chunk of handle.createReadStream()) hash.update(chunk as Buffer);
  if (!hash.digest().equals(sha256)) {
    throw new DocketError(
      'HASH_MISMATCH',
      `the stored object ${sha256.toString('hex')} no longer has its content`,
      {
        hint: 'the disk or a person changed it: restore that file from a copy',
      },
    );
  }
}
