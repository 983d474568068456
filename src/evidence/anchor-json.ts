import type { TrustAnchor } from './trust.ts';

/** A trust anchor as JSON has it, from the database or on the way to another process. */
export interface AnchorJson extends Omit<TrustAnchor, 'validFrom' | 'validUntil'> {
  /** ISO 8601. */
  readonly validFrom: string | null;
  readonly validUntil: string | null;
}

export function anchorFromJson(anchor: AnchorJson): TrustAnchor {
  return { ...anchor, validFrom: toDate(anchor.validFrom), validUntil: toDate(anchor.validUntil) };
}

function toDate(time: string | null): Date | null {
  return time === null ? null : new Date(time);
}
