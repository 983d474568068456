import { fitsKey } from '../asn1/algorithms.ts';
import { findRevoked, readRevocationList } from './revocation-list.ts';
import type { RevocationList } from './revocation-list.ts';
import { hasKeyUsage, KEY_USAGE } from './x509.ts';
import type { Certificate } from './x509.ts';

/** What the lists say of a certificate. */
export interface Revocation {
  /** From when it counts as revoked, or was known to be in wrong hands; null if it is on no list. */
  readonly from: Date | null;
  /** Whether a list that was in force at the time was there to be asked. */
  readonly isKnown: boolean;
}

/**
 * Asks every list that the issuer of the certificate signed. An entry counts whatever the age of its list, but a hold, which
 * may be lifted, only on the newest.
 */
export function findRevocation(
  certificate: Certificate,
  issuer: Certificate,
  lists: readonly Uint8Array[],
  judgedAt: Date,
): Revocation {
  const own = lists
    .map((list) => readOwnList(list, issuer))
    .filter((list) => list !== null)
    .sort((a, b) => b.thisUpdate.getTime() - a.thisUpdate.getTime());
  const dates = own
    .map((list, age) => ({ age, entry: findRevoked(list, certificate.serial) }))
    .filter(({ age, entry }) => entry && (age === 0 || !entry.isHold))
    .map(({ entry }) => entry?.from.getTime() ?? 0);
  return {
    from: dates.length > 0 ? new Date(Math.min(...dates)) : null,
    isKnown: own.some(
      ({ thisUpdate, nextUpdate, isPartial }) =>
        !isPartial && thisUpdate <= judgedAt && (!nextUpdate || judgedAt <= nextUpdate),
    ),
  };
}

/** Null unless it is a plain list that the issuer signed by an algorithm that proves it. */
function readOwnList(bytes: Uint8Array, issuer: Certificate): RevocationList | null {
  try {
    const list = readRevocationList(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const { algorithm, signature, signedBytes, isPlain } = list;
    if (!isPlain || !algorithm || algorithm.isWeak || !hasKeyUsage(issuer, KEY_USAGE.cRLSign)) return null;
    return fitsKey(algorithm, issuer.key, signedBytes, signature) ? list : null;
  } catch {
    return null;
  }
}
