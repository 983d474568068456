import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DocketError } from '../errors.ts';
import { sniff } from '../ocr/sniff.ts';
import type { ObjectStore, StoredObject } from '../store/store.ts';

/** A file that was stored, and what can be said of it without decoding it. */
export interface StoredScan extends StoredObject {
  /** By its first bytes, never by its name. */
  readonly mediaType: string;
  /** When the file was last changed. */
  readonly modifiedAt: Date;
}

const HEAD_BYTES = 4096;

/**
 * The files that paths name: files as they are, folders with all that is in them, in order of name, but hidden ones.
 * Throws FILE_NOT_FOUND, FILE_UNREADABLE before anything else is done.
 */
export async function findScans(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const entry = await stat(path).catch((error: unknown) => refuseFile(path, error));
    if (entry.isDirectory()) found.push(...(await scansBelow(path)));
    else if (entry.isFile()) found.push(path);
    else throw new DocketError('FILE_UNREADABLE', `${path} is neither a file nor a folder`);
  }
  if (found.length === 0)
    throw new DocketError('FILE_NOT_FOUND', `there are no files in ${paths.join(', ')}`);
  return found;
}

/**
 * Copies a file into the folder that the store keeps for a source, hashing what was copied: a place of its own shows that the
 * source has the bytes. Throws FILE_…, and the codes of the store.
 */
export async function storeScan(store: ObjectStore, path: string, sourceId: string): Promise<StoredScan> {
  const file = await open(path, 'r').catch((error: unknown) => refuseFile(path, error));
  try {
    const { mtime } = await file.stat();
    let head = Buffer.alloc(0);
    async function* bytes(): AsyncGenerator<Buffer> {
      try {
        for await (const chunk of file.createReadStream({ autoClose: false })) {
          const piece = chunk as Buffer;
          if (head.length < HEAD_BYTES) head = Buffer.concat([head, piece.subarray(0, HEAD_BYTES)]);
          yield piece;
        }
      } catch (error) {
        refuseFile(path, error);
      }
    }
    const stored = await store.put(bytes(), { folder: sourceId.replaceAll('..', '._') });
    return { ...stored, mediaType: sniff(head)?.mediaType ?? 'application/octet-stream', modifiedAt: mtime };
  } finally {
    await file.close();
  }
}

async function scansBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) =>
    refuseFile(folder, error),
  );
  const found: string[] = [];
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await scansBelow(path)));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

/** Says that a file cannot be read, and whether it is there at all. */
export function refuseFile(path: string, cause: unknown): never {
  const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  throw missing
    ? new DocketError('FILE_NOT_FOUND', `there is no file ${path}`, { cause })
    : new DocketError('FILE_UNREADABLE', `${path} cannot be read: ${String(cause)}`, { cause });
}
