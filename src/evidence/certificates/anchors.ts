import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readCertificate } from './x509.ts';
import type { Certificate } from './x509.ts';
import type { Trust, TrustAnchor } from '../trust.ts';

/** From when until when something is believed; null: without end. */
export interface Window {
  readonly from: Date | null;
  readonly until: Date | null;
}

/** A trust anchor, read. */
export interface Anchor {
  readonly id: number;
  readonly label: string;
  readonly key: KeyObject;
  /** Null where the anchor is a mere key. */
  readonly certificate: Certificate | null;
  readonly window: Window;
}

/** What each anchor was read as: every signature is judged by all of them, some several times. */
const read = new WeakMap<TrustAnchor, Anchor | null>();

/**
 * The anchors of a purpose, which formats whose signatures name no certificate try one after the other. What cannot be read
 * is passed over: nothing leads to it.
 */
export function readAnchors(trust: Trust, purpose: TrustAnchor['purpose']): Anchor[] {
  return trust.anchors
    .filter((anchor) => anchor.purpose === purpose)
    .map(readOnce)
    .filter((anchor) => anchor !== null);
}

function readOnce(anchor: TrustAnchor): Anchor | null {
  const known = read.get(anchor);
  if (known !== undefined) return known;
  const found = readAnchor(anchor);
  read.set(anchor, found);
  return found;
}

function readAnchor({ id, kind, label, pem, validFrom, validUntil }: TrustAnchor): Anchor | null {
  try {
    if (kind === 'key') {
      const window = { from: validFrom, until: validUntil };
      return { id, label, key: createPublicKey(pem), certificate: null, window };
    }
    const certificate = readCertificate(Buffer.from(pem));
    if (!certificate) return null;
    const window = { from: validFrom ?? certificate.notBefore, until: validUntil ?? certificate.notAfter };
    return { id, label, key: certificate.key, certificate, window };
  } catch {
    return null;
  }
}
