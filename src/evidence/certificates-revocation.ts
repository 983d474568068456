import {
  listElements,
  context,
  readBits,
  readElement,
  readElements,
  readTime,
  TAG,
  walkElements,
} from './asn1.ts';
import type { Element } from './asn1.ts';
import { fitsKey, readSignatureAlgorithm } from './asn1-algorithms.ts';
import { hasKeyUsage, KEY_USAGE, readExtensions } from './certificates-x509.ts';
import type { Certificate } from './certificates-x509.ts';

/** What the lists say of a certificate. */
export interface Revocation {
  /** From when it counts as revoked, or was known to be in wrong hands; null if it is on no list. */
  readonly from: Date | null;
  /** Whether a list that was in force at the time was there to be asked. */
  readonly isKnown: boolean;
}

/** A list of one authority, its signature checked. */
interface RevocationList {
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | null;
  readonly entries: Element | null;
}

const REASON = '2.5.29.21';
const INVALIDITY_DATE = '2.5.29.24';
const CERTIFICATE_HOLD = 6;
/** Extensions of a list that may be critical and do not change what an entry means; deltas and indirect lists do, and are passed over. */
const DISTRIBUTION_POINT = '2.5.29.28';
const INDIRECT = context(4) & ~0x20;

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
    .map((list) => readRevocationList(list, issuer))
    .filter((list) => list !== null)
    .sort((a, b) => b.thisUpdate.getTime() - a.thisUpdate.getTime());
  const dates = own
    .map((list, age) => ({ age, entry: findEntry(list, certificate.serial) }))
    .filter(({ age, entry }) => entry && (age === 0 || !entry.isHold))
    .map(({ entry }) => entry?.from.getTime() ?? 0);
  return {
    from: dates.length > 0 ? new Date(Math.min(...dates)) : null,
    isKnown: own.some(
      ({ thisUpdate, nextUpdate }) => thisUpdate <= judgedAt && (!nextUpdate || judgedAt <= nextUpdate),
    ),
  };
}

/** Null unless it is a complete list that the issuer signed by an algorithm that proves it. */
function readRevocationList(list: Uint8Array, issuer: Certificate): RevocationList | null {
  try {
    const whole = readElements(readElement(Buffer.from(list.buffer, list.byteOffset, list.byteLength)));
    const signed = whole.take(TAG.sequence);
    const algorithm = readSignatureAlgorithm(whole.take(TAG.sequence), null);
    const signature = readBits(whole.take(TAG.bitString));
    if (!algorithm || algorithm.isWeak || !hasKeyUsage(issuer, KEY_USAGE.cRLSign)) return null;
    if (!fitsKey(algorithm, issuer.key, signed.bytes, signature)) return null;
    return describe(signed);
  } catch {
    return null;
  }
}

function describe(signed: Element): RevocationList | null {
  const fields = readElements(signed);
  fields.takeIf(TAG.integer);
  fields.take(TAG.sequence);
  fields.take(TAG.sequence);
  const thisUpdate = readTime(fields.take());
  const nextUpdate = fields.takeIf(TAG.utcTime, TAG.generalizedTime);
  const entries = fields.takeIf(TAG.sequence);
  const tagged = fields.takeIf(context(0));
  const extensions = readExtensions(tagged ? readElement(tagged.content) : null);
  for (const [oid, { isCritical, value }] of extensions) {
    if (isCritical && (oid !== DISTRIBUTION_POINT || isIndirect(value))) return null;
  }
  return { thisUpdate, nextUpdate: nextUpdate ? readTime(nextUpdate) : null, entries };
}

function isIndirect(distributionPoint: Buffer): boolean {
  return listElements(readElement(distributionPoint)).some(
    ({ tag, content }) => tag === INDIRECT && content[0] !== 0,
  );
}

/** The entry of a serial number; lists may be long, so that they are walked and not unfolded. */
function findEntry(list: RevocationList, serial: Buffer): { from: Date; isHold: boolean } | null {
  if (!list.entries) return null;
  for (const entry of walkElements(list.entries)) {
    if (readElement(entry.content).content.equals(serial)) return readEntry(entry);
  }
  return null;
}

function readEntry(entry: Element): { from: Date; isHold: boolean } {
  const fields = readElements(entry);
  fields.take(TAG.integer);
  const revokedAt = readTime(fields.take());
  const extensions = readExtensions(fields.takeIf(TAG.sequence));
  const reason = extensions.get(REASON)?.value;
  const invalidity = extensions.get(INVALIDITY_DATE)?.value;
  const invalidFrom = invalidity ? readTime(readElement(invalidity)) : revokedAt;
  return {
    from: invalidFrom < revokedAt ? invalidFrom : revokedAt,
    isHold: reason !== undefined && readElement(reason).content[0] === CERTIFICATE_HOLD,
  };
}
