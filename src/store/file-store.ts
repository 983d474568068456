import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { access, link, mkdir, open, realpath, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { DocketError } from '../errors.ts';
import { fromFileSystem, isErrno } from './file-errors.ts';
import { streamFile } from './file-stream.ts';
import { keyOf, locatorOf } from './locator.ts';
import type { ObjectStore, StoredObject } from './store.ts';

/** Half-written objects stay here, in the same file system, out of reach of locators made of hex digits. */
const INCOMING = '.incoming';

/**
 * A store in a folder, addressed by content: an object lies at `ab/abcd…`, its SHA-256, below the folder asked for. An object appears by a hard
 * link after it was written and synced, so it is there whole or not at all, and a link never replaces what exists.
 * Files are 0600, folders 0700.
 */
export function createFileStore(root: string): ObjectStore {
  return {
    async put(bytes, { folder: below } = {}) {
      let sourceError: unknown;
      async function* source(): AsyncGenerator<Uint8Array> {
        try {
          yield* bytes;
        } catch (error) {
          sourceError = error;
          throw error;
        }
      }
      try {
        const folder = join(root, INCOMING);
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const draft = join(folder, randomBytes(16).toString('hex'));
        try {
          return await keep(root, below, draft, await write(draft, source()));
        } finally {
          await rm(draft, { force: true });
        }
      } catch (error) {
        throw error === sourceError ? error : fromFileSystem(error, 'writing', 'a new object');
      }
    },

    async get(reference, { signal }) {
      const key = keyOf(reference, 'file');
      signal.throwIfAborted();
      try {
        const translate = (error: unknown) => fromFileSystem(error, 'reading', reference.locator);
        const handle = await openInside(root, key);
        if (signal.aborted) await handle.close();
        signal.throwIfAborted();
        return streamFile(handle, { signal, translate });
      } catch (error) {
        if (isErrno(error, 'ENOENT'))
          await access(root).catch((missing: unknown) => refuseMissingRoot(missing));
        throw fromFileSystem(error, 'reading', reference.locator);
      }
    },
  };
}

async function write(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ sha256: Buffer; sizeBytes: number }> {
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
  written: { sha256: Buffer; sizeBytes: number },
): Promise<StoredObject> {
  const hex = written.sha256.toString('hex');
  const locator = locatorOf('file', below, `${hex.slice(0, 2)}/${hex}`);
  const folders = locator.slice('file:'.length).split('/').slice(0, -1);
  const path = join(root, ...folders, hex);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
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

/** Opens a regular file below the root; links on the way that lead out of it are refused. */
async function openInside(root: string, key: string): Promise<FileHandle> {
  const base = await realpath(root);
  const path = await realpath(join(base, key));
  if (!path.startsWith(base + sep)) {
    throw new DocketError('LOCATOR_INVALID', `file:${key} leads out of the store`);
  }
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new DocketError('LOCATOR_INVALID', `file:${key} is not a file`);
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A root that vanished is a disk that is not mounted, not an object that was never there. */
function refuseMissingRoot(cause: unknown): never {
  throw new DocketError('STORE_UNAVAILABLE', 'the folder of the object store is missing', {
    cause,
    hint: 'mount it, or correct DOCKET_STORE',
  });
}
