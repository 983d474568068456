import type { ObjectReference } from '../store/store.ts';

/** How an object lies in the store: sealed by Docket, encrypted elsewhere for a key of Docket, or declared to lie in the clear. */
export type Encryption = 'docket' | 'external' | 'none';

/** The key of one sealed object, as the database keeps it. */
export interface ObjectKey {
  readonly id: string;
  /** Name of the key-encryption key that wraps it. */
  readonly keyId: string;
  readonly wrapped: Buffer;
  /** SHA-256 of the scan that was sealed. */
  readonly sha256: Buffer;
}

/** Where a delivery says that a scan lies, with all that is needed to read it. */
export interface Place extends ObjectReference {
  readonly encryption: Encryption;
  readonly sourceId: string;
  /** SHA-256 of the scan, as the delivery states it. */
  readonly sha256: Buffer;
  /** Null where Docket did not seal the object, and where it was sealed for another source. */
  readonly objectKey: ObjectKey | null;
  /** The object was sealed for another source than the one that names it, and so shows nothing. */
  readonly isForeign: boolean;
}

/** What SQL says of a place, as docket.object_key_of and its callers write it. */
export interface PlaceRow {
  readonly locator: string;
  readonly version: string | null;
  readonly encryption: string;
  readonly source_id: string;
  /** As docket.object_key_of answers. */
  readonly object_key: unknown;
}

interface ObjectKeyJson {
  readonly is_foreign: boolean;
  readonly object_key_id: string;
  readonly key_id: string;
  readonly sha256: string;
  readonly wrapped_key: string;
}

/** The place that a row of SQL names, for a scan with this stated SHA-256. */
export function toPlace(row: PlaceRow, sha256: Buffer): Place {
  const key = row.object_key as ObjectKeyJson | null;
  return {
    locator: row.locator,
    version: row.version,
    encryption: row.encryption as Encryption,
    sourceId: row.source_id,
    sha256,
    isForeign: key?.is_foreign === true,
    objectKey:
      key === null || key.is_foreign
        ? null
        : {
            id: key.object_key_id,
            keyId: key.key_id,
            wrapped: Buffer.from(key.wrapped_key, 'base64'),
            sha256: Buffer.from(key.sha256, 'hex'),
          },
  };
}
