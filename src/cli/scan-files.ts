import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DocketError } from '../errors.ts';
import { sniff } from '../ocr/sniff.ts';
import type { ScanSink } from '../sealing/put-scan.ts';
import { putScan } from '../sealing/put-scan.ts';

/** A file that was stored, and what can be said of it without decoding it. */
export interface StoredScan {
  readonly locator: string;
  readonly version: string | null;
  /** Of the file, not of the sealed object in the store. */
  readonly sha256: Buffer;
  readonly sizeBytes: number;
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
 * Seals a file into the folder that the store keeps for a source: a place of its own shows that the source has the bytes. The
 * file is read twice, to hash and to seal it. Throws FILE_CHANGED if it was another the second time, FILE_…, and what
 * putScan throws.
 */
export async function storeScan(
  sink: ScanSink,
  path: string,
  { sourceId, signal }: { sourceId: string; signal: AbortSignal },
): Promise<StoredScan> {
  const file = await open(path, 'r').catch((error: unknown) => refuseFile(path, error));
  try {
    const { mtime } = await file.stat();
    const { sha256, sizeBytes, head } = await describe(file, path);
    const { object, version } = await putScan(sink, {
      sourceId,
      sha256,
      sizeBytes,
      bytes: piecesOf(file, path),
      signal,
    }).catch((error: unknown) => refuseChanged(path, error));
    const mediaType = sniff(head)?.mediaType ?? 'application/octet-stream';
    return { locator: object, version, sha256, sizeBytes, mediaType, modifiedAt: mtime };
  } finally {
    await file.close();
  }
}

async function describe(
  file: FileHandle,
  path: string,
): Promise<{ sha256: Buffer; sizeBytes: number; head: Buffer }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let head = Buffer.alloc(0);
  for await (const piece of piecesOf(file, path)) {
    hash.update(piece);
    sizeBytes += piece.length;
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, piece.subarray(0, HEAD_BYTES)]);
  }
  return { sha256: hash.digest(), sizeBytes, head };
}

/** The bytes of an open file from its first one, as often as asked for. */
async function* piecesOf(file: FileHandle, path: string): AsyncGenerator<Buffer> {
  try {
    for await (const piece of file.createReadStream({ autoClose: false, start: 0 })) yield piece as Buffer;
  } catch (error) {
    refuseFile(path, error);
  }
}

function refuseChanged(path: string, error: unknown): never {
  const isOther = error instanceof DocketError && ['HASH_MISMATCH', 'SIZE_MISMATCH'].includes(error.code);
  if (!isOther) throw error;
  throw new DocketError('FILE_CHANGED', `${path} was changed while it was being stored`, {
    cause: error,
    hint: 'submit it again when nobody writes to it',
  });
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
