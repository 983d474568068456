import { lstat, opendir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { INCOMING, removeAbandonedDrafts, syncFolder, writeObject } from './file-draft.ts';
import { fromFileSystem, isErrno } from './file-errors.ts';
import { fromReading, nameInside, openInside } from './file-path.ts';
import { MARKER, fileRoot } from './file-root.ts';
import { streamFile } from './file-stream.ts';
import { keyOf } from './locator.ts';
import type { ListedObject, ObjectStore } from './store.ts';
import { untilAborted } from './until-aborted.ts';

/**
 * A store in a folder, addressed by content: an object lies at `ab/abcd…`, its SHA-256, below the folder asked for. An object appears by a hard
 * link after it was written and synced, so it is there whole or not at all, and a link never replaces what exists.
 * Files are 0600, folders 0700. Nothing but the rights of the folder protects an object from removal. Without the marker of
 * its root the store is away; `mayBegin`: whether an absent or empty folder becomes a store by being used the first time.
 */
export function createFileStore(root: string, { mayBegin = true }: { mayBegin?: boolean } = {}): ObjectStore {
  const marked = fileRoot(root, { mayBegin });
  let tidied: Promise<void> | undefined;
  const stat: ObjectStore['stat'] = async (reference, { signal }) => {
    const key = keyOf(reference, 'file:');
    signal.throwIfAborted();
    try {
      await marked.require();
      const handle = await openInside(root, key);
      try {
        return { sizeBytes: (await handle.stat()).size, retainUntil: null, isHeld: false };
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw await fromReading(error, marked, reference.locator);
    }
  };
  return {
    async put(bytes, { folder, signal } = {}) {
      let sourceError: unknown;
      async function* source(): AsyncGenerator<Uint8Array> {
        try {
          yield* untilAborted(bytes, signal);
        } catch (error) {
          sourceError = error;
          throw error;
        }
      }
      try {
        await (tidied ??= removeAbandonedDrafts(root));
        return await writeObject(root, folder, source(), marked.require);
      } catch (error) {
        throw error === sourceError ? error : fromFileSystem(error, 'writing', 'a new object');
      }
    },

    async get(reference, { signal }) {
      const key = keyOf(reference, 'file:');
      signal.throwIfAborted();
      try {
        await marked.require();
        const handle = await openInside(root, key);
        if (signal.aborted) await handle.close();
        signal.throwIfAborted();
        const translate = (error: unknown) => fromFileSystem(error, 'reading', reference.locator);
        return streamFile(handle, { signal, translate });
      } catch (error) {
        signal.throwIfAborted();
        throw await fromReading(error, marked, reference.locator);
      }
    },

    stat,

    async remove(reference, { signal }) {
      const key = keyOf(reference, 'file:');
      signal.throwIfAborted();
      try {
        await marked.require();
        const path = await nameInside(root, key);
        await unlink(path);
        await syncFolder(dirname(path));
      } catch (error) {
        const refusal = await fromReading(error, marked, reference.locator);
        if (!('code' in refusal) || refusal.code !== 'OBJECT_NOT_FOUND') throw refusal;
      }
      return { isRemoved: true };
    },

    canProtect: () => Promise.resolve(false),

    async protect(reference, { signal }) {
      await stat(reference, { signal });
      return 'unsupported';
    },

    async *list({ signal }) {
      await marked.require();
      yield* filesBelow(root, '', signal);
    },
  };
}

/** Every regular file below a folder, but for half-written ones. One that goes while it is listed is left out. */
async function* filesBelow(root: string, below: string, signal: AbortSignal): AsyncGenerator<ListedObject> {
  try {
    for await (const entry of await opendir(join(root, below))) {
      signal.throwIfAborted();
      const key = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory() && key !== INCOMING) yield* filesBelow(root, key, signal);
      const found =
        entry.isFile() && key !== MARKER ? await lstat(join(root, key)).catch(ignoreAbsence) : undefined;
      if (found)
        yield { locator: `file:${key}`, version: null, sizeBytes: found.size, storedAt: found.mtime };
    }
  } catch (error) {
    signal.throwIfAborted();
    throw fromFileSystem(error, 'reading', `file:${below}`);
  }
}

function ignoreAbsence(error: unknown): undefined {
  if (!isErrno(error, 'ENOENT')) throw error;
}
