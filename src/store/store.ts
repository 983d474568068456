import type { Readable } from 'node:stream';

/** Names an object: a locator as senders give it, and a version where the store keeps several. */
export interface ObjectReference {
  locator: string;
  version: string | null;
}

export interface StoredObject extends ObjectReference {
  /** Of the bytes as they were stored. */
  sha256: Buffer;
  sizeBytes: number;
}

/**
 * Where scans lie. A store never changes or replaces an object. Its errors are DocketErrors with a failure code:
 *   OBJECT_NOT_FOUND    nothing has that name
 *   LOCATOR_INVALID     the name is not one this store could have given, or points out of it
 *   STORE_DENIED        it exists, but may not be read or written
 *   STORE_UNAVAILABLE   the store itself does not answer, now
 * Reading fails with the same codes, as the error of the stream; an aborted signal ends it with the signal's reason.
 */
export interface ObjectStore {
  /**
   * Stores bytes under a name of the store's choosing; whole and durable once it resolves, absent if it rejects. The same
   * bytes get the same name, but in another folder (segments between single slashes, none of them `.` or `..`) another.
   */
  put(bytes: AsyncIterable<Uint8Array>, options?: { folder?: string }): Promise<StoredObject>;
  /** Opens an object for reading from its first byte. */
  get(reference: ObjectReference, options: { signal: AbortSignal }): Promise<Readable>;
}
