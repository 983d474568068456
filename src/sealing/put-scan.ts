import { createHash } from 'node:crypto';
import type { Queryable } from '../db/commands.ts';
import * as commands from '../db/commands.ts';
import { DocketError } from '../errors.ts';
import type { ObjectStore } from '../store/store.ts';
import type { Keyring } from './keyring.ts';
import { makeObjectKey, seal } from './sealed-object.ts';

const NOT_THERE: ReadonlySet<string> = new Set(['OBJECT_NOT_FOUND', 'LOCATOR_INVALID']);

/** Where scans are put: `db` acts as a sender that may deliver for the source. */
export interface ScanSink {
  readonly store: ObjectStore;
  readonly keyring: Keyring;
  readonly db: Queryable;
}

export interface OfferedScan {
  readonly sourceId: string;
  readonly sha256: Buffer;
  /** Checked, where it is known. */
  readonly sizeBytes?: number;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

/** A scan that lies in the store, sealed, and can be delivered. */
export interface PutScan {
  /** The locator. */
  readonly object: string;
  readonly version: string | null;
  readonly sha256: Buffer;
  /** Of the scan, not of the sealed object. */
  readonly sizeBytes: number;
  /** Whether it was stored now; false: it lay there, sealed for the same source. */
  readonly isNew: boolean;
}

/**
 * Seals a scan into the store and records its key. Nothing of it is kept unless the bytes are those of the hash. A scan that
 * was put before for the same source is only compared. Throws HASH_MISMATCH, SIZE_MISMATCH, ZD010, ZD017, the codes of the
 * store, of the key and of the database, what `bytes` throws, or the reason of the signal.
 */
export async function putScan({ store, keyring, db }: ScanSink, scan: OfferedScan): Promise<PutScan> {
  const { sourceId, sha256, signal } = scan;
  const [known] = await commands.knownObject(db, { sourceId, sha256 });
  if (known && (await isThere(store, keyring, known, signal))) {
    await drain(checked(scan));
    const { locator, version } = known;
    return { object: locator, version, sha256, sizeBytes: Number(known.size_bytes), isNew: false };
  }

  const { id, key } = makeObjectKey();
  try {
    const { keyId, wrapped } = await keyring.wrap(id, key);
    const size = { bytes: 0 };
    const sealed = seal(checked(scan, size), key, { objectKeyId: id, sha256, sourceId });
    const stored = await store.put(sealed, { folder: folderOf(sourceId), signal });
    await commands
      .recordObject(db, {
        objectKeyId: id,
        sourceId,
        locator: stored.locator,
        version: stored.version,
        sha256,
        sizeBytes: String(size.bytes),
        sealedSha256: stored.sha256,
        sealedSizeBytes: String(stored.sizeBytes),
        keyId,
        wrappedKey: wrapped,
      })
      .catch(async (error: unknown) => {
        // Refused for certain. After any other error it may be recorded, and the object is better left than missed.
        if (isRefusal(error)) await store.remove(stored, { signal }).catch(() => undefined);
        throw error;
      });
    return { object: stored.locator, version: stored.version, sha256, sizeBytes: size.bytes, isNew: true };
  } finally {
    key.fill(0);
  }
}

/** The folder that a store keeps for a source: two dots in a row would not do in a locator. */
export function folderOf(sourceId: string): string {
  return sourceId.replaceAll('..', '._');
}

/** The same bytes; throws at their end if they are others than was stated, so that whoever stores them keeps nothing. */
async function* checked(scan: OfferedScan, size = { bytes: 0 }): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of scan.bytes) {
    scan.signal.throwIfAborted();
    hash.update(piece);
    size.bytes += piece.length;
    yield piece;
  }
  if (scan.sizeBytes !== undefined && scan.sizeBytes !== size.bytes) {
    throw new DocketError('SIZE_MISMATCH', `${scan.sizeBytes} bytes were stated, there are ${size.bytes}`);
  }
  const found = hash.digest();
  if (!found.equals(scan.sha256)) {
    throw new DocketError('HASH_MISMATCH', `the bytes hash to ${found.toString('hex')}`);
  }
}

async function drain(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const pieces = bytes[Symbol.asyncIterator]();
  while (!(await pieces.next()).done);
}

/** Whether an object that was put before can still be read, as far as that can be told without reading it. */
async function isThere(
  store: ObjectStore,
  keyring: Keyring,
  known: commands.KnownObjectRow,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await keyring.keyIds()).held.includes(known.key_id)) return false;
  try {
    const { sizeBytes } = await store.stat(known, { signal });
    return sizeBytes === Number(known.sealed_size_bytes);
  } catch (error) {
    // A place that a link or a folder took is as lost as one where nothing is.
    if (error instanceof DocketError && NOT_THERE.has(error.code)) return false;
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ZD');
}
