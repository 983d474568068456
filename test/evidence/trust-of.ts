import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { Trust, TrustAnchor } from '../../src/evidence/trust.ts';

/** A time in the life of the corpus; what tests make themselves is judged by the clock. */
export const NOW = new Date('2026-11-30T12:00:00Z');

/** Trust in these, numbered from 1: keys by SPKI, certificates by PEM. */
export function trustOf(
  anchors: readonly (KeyObject | JsonWebKey | string | Partial<TrustAnchor>)[],
  trust: Partial<Trust> = {},
): Trust {
  return {
    anchors: anchors.map((anchor, index) => ({ ...anchorOf(anchor), id: index + 1 })),
    revocationLists: [],
    judgedAt: NOW,
    ...trust,
  };
}

function anchorOf(given: KeyObject | JsonWebKey | string | Partial<TrustAnchor>): TrustAnchor {
  const anchor: TrustAnchor = {
    id: 0,
    kind: 'key',
    purpose: 'signer',
    label: 'Depot key',
    pem: '',
    validFrom: null,
    validUntil: null,
  };
  if (typeof given === 'string') return { ...anchor, kind: 'certificate', pem: given };
  if ('pem' in given) return { ...anchor, ...given };
  const key =
    'asymmetricKeyType' in given ? given : createPublicKey({ key: given as JsonWebKey, format: 'jwk' });
  return { ...anchor, pem: (key as KeyObject).export({ type: 'spki', format: 'pem' }).toString() };
}
