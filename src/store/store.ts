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

/** What a store knows of an object without reading it. A store that protects nothing retains and holds nothing. */
export interface ObjectState {
  sizeBytes: number;
  /** The store refuses to remove it before that time, which may have passed; null if it never had one. */
  retainUntil: Date | null;
  /** The store refuses to remove it until a legal hold is lifted. */
  isHeld: boolean;
}

/** What became of an object that was to be removed: it is gone, or the store refuses, until when and why. */
export type Removal = { isRemoved: true } | { isRemoved: false; retainedUntil: Date | null; isHeld: boolean };

export interface ListedObject extends ObjectReference {
  sizeBytes: number;
  /** By the clock of the store. */
  storedAt: Date;
}

/**
 * Where scans lie. A store never changes or replaces an object. Its errors are DocketErrors with a failure code:
 *   OBJECT_NOT_FOUND    nothing has that name
 *   LOCATOR_INVALID     the name is not one this store could have given, or points out of it
 *   STORE_DENIED        it exists, but may not be read, written or removed
 *   STORE_UNAVAILABLE   the store itself does not answer, now
 *   STORE_TIMEOUT       it answers, but too slowly
 *   HASH_MISMATCH       (put) the store has other bytes under the name of these
 * Reading fails with the same codes, as the error of the stream; an aborted signal ends everything with its reason.
 */
export interface ObjectStore {
  /**
   * Stores bytes under a name of the store's choosing; whole and durable once it resolves. If it rejects, it tells of no
   * object; a store behind a network may have one all the same. The same bytes get the same name, but in another folder
   * (segments between single slashes, none of them `.` or `..`) another.
   */
  put(
    bytes: AsyncIterable<Uint8Array>,
    options?: { folder?: string; signal?: AbortSignal },
  ): Promise<StoredObject>;
  /** Opens an object for reading from its first byte. */
  get(reference: ObjectReference, options: { signal: AbortSignal }): Promise<Readable>;
  /** Looks whether an object is there, and what keeps it there. */
  stat(reference: ObjectReference, options: { signal: AbortSignal }): Promise<ObjectState>;
  /**
   * Removes an object, so that no version of that name remains unless the reference names one; then only that one goes.
   * One that is not there counts as removed. An object that is retained or held stays, and the answer says so.
   */
  remove(reference: ObjectReference, options: { signal: AbortSignal }): Promise<Removal>;
  /** Whether `protect` can have an effect here. */
  canProtect(options: { signal: AbortSignal }): Promise<boolean>;
  /**
   * Has the store itself refuse to remove an object: until `retainUntil`, which only ever moves later (null or a time in
   * the past asks for nothing), and as long as `isHeld` is the last that was said. `unsupported`: this store cannot.
   */
  protect(
    reference: ObjectReference,
    options: { retainUntil: Date | null; isHeld: boolean; signal: AbortSignal },
  ): Promise<'protected' | 'unsupported'>;
  /** Every object, and every version of it, that lies where this store puts them, in no particular order. */
  list(options: { signal: AbortSignal }): AsyncIterable<ListedObject>;
}
