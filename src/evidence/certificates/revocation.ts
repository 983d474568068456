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
 * may be lifted, only until a newer list tells of the same certificates.
 */
export function findRevocation(
  certificate: Certificate,
  issuer: Certificate,
  lists: readonly Uint8Array[],
  judgedAt: Date,
): Revocation {
  const own = lists.map((list) => readOwnList(list, issuer)).filter((list) => list !== null);
  const dates = own.flatMap((list) => {
    const entry = findRevoked(list, certificate.serial);
    return entry && !(entry.isHold && own.some((other) => outdates(other, list)))
      ? [entry.from.getTime()]
      : [];
  });
  return {
    from: dates.length > 0 ? new Date(Math.min(...dates)) : null,
    isKnown: own.some(
      ({ thisUpdate, nextUpdate, scope }) =>
        !scope && thisUpdate <= judgedAt && (!nextUpdate || judgedAt <= nextUpdate),
    ),
  };
}

/** Whether a list tells, later, of all the certificates that the other tells of. */
function outdates(list: RevocationList, other: RevocationList): boolean {
  const tellsOfAll = !list.scope || (other.scope !== null && list.scope.equals(other.scope));
  return tellsOfAll && list.thisUpdate > other.thisUpdate;
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
