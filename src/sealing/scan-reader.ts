import type { Readable } from 'node:stream';
import { DocketError } from '../errors.ts';
import type { ObjectStore } from '../store/store.ts';
import { decipher } from './deciphering.ts';
import type { Keyring } from './keyring.ts';
import { loadSdk } from './message.ts';
import type { ObjectKey, Place } from './place.ts';
import { unseal } from './sealed-object.ts';

/** Reads scans, however they lie in the store. */
export interface ScanReader {
  /**
   * The bytes of the scan at a place. They are to be believed only once the stream ended without an error. Rejects, or the
   * stream fails, with the codes of the store, the reason of the signal, and:
   *   LOCATOR_TAKEN     the object was sealed for another source
   *   KEY_MISSING       it is said to be sealed, and no key of it is known
   *   KEY_WRONG         its key cannot be unwrapped by the keys at hand
   *   KEY_UNAVAILABLE   the key service does not answer, now
   *   HASH_MISMATCH     it was sealed for a scan with another hash than the stated one
   *   OBJECT_SWAPPED    it is intact, but is not the object that the key was made for
   *   OBJECT_DAMAGED    it does not decrypt, or ends early
   */
  open(place: Place, options: { signal: AbortSignal }): Promise<Readable>;
}

export function createScanReader({ store, keyring }: { store: ObjectStore; keyring: Keyring }): ScanReader {
  return {
    async open(place, { signal }) {
      if (place.isForeign) {
        throw new DocketError(
          'LOCATOR_TAKEN',
          `the object at ${place.locator} was sealed for another source`,
        );
      }
      switch (place.encryption) {
        case 'none':
          return store.get(place, { signal });
        case 'external':
          return openExternal(store, keyring, place, signal);
        case 'docket':
          return openSealed(store, keyring, place, signal);
      }
    },
  };
}

async function openSealed(
  store: ObjectStore,
  keyring: Keyring,
  place: Place,
  signal: AbortSignal,
): Promise<Readable> {
  const { objectKey } = place;
  requireKey(place, objectKey);
  if (!objectKey.sha256.equals(place.sha256)) {
    throw new DocketError('HASH_MISMATCH', `the sealed scan hashes to ${objectKey.sha256.toString('hex')}`);
  }
  const sdk = await loadSdk();
  const key = await keyring.unwrap(objectKey);
  try {
    const sealed = await store.get(place, { signal });
    const binding = { objectKeyId: objectKey.id, sha256: objectKey.sha256, sourceId: place.sourceId };
    return unseal(sdk, sealed, key, { binding, signal });
  } finally {
    key.fill(0);
  }
}

/** Whoever encrypts elsewhere binds messages to what they like; but what Docket itself made never comes in this way. */
async function openExternal(
  store: ObjectStore,
  keyring: Keyring,
  place: Place,
  signal: AbortSignal,
): Promise<Readable> {
  const sdk = await loadSdk();
  const manager = await keyring.materials(sdk);
  return decipher(sdk, await store.get(place, { signal }), {
    manager,
    isSigned: true,
    signal,
    accept(context) {
      if (context['object_key_id'] !== undefined) {
        throw new DocketError('OBJECT_SWAPPED', 'the object is one of the keys that Docket wrapped');
      }
    },
  });
}

function requireKey(place: Place, key: ObjectKey | null): asserts key is ObjectKey {
  if (key !== null) return;
  throw new DocketError('KEY_MISSING', `no key of the object at ${place.locator} is known`);
}
