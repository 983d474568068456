import type { SignatureReport } from '../evidence/signature.ts';

/** What was found at one place where signatures of a document may be. */
export interface LookedAt {
  readonly deliveryId: string;
  /** Beside the scan, or inside it. */
  readonly place: 'envelope' | 'embedded';
  readonly judgedAt: Date;
  readonly reports: readonly SignatureReport[];
}

/** Names in certificates may have any length; so much of each is kept. */
const LONGEST_TEXT = 2_000;

/**
 * What was found, as docket.record_signatures reads it. Strangers choose the texts: what the database cannot store as text (a zero
 * character, half a character) is replaced.
 */
export function toSignaturesJson(places: readonly LookedAt[]): string {
  return JSON.stringify(
    places.map(({ deliveryId, place, judgedAt, reports }) => ({
      delivery: deliveryId,
      place,
      judgedAt: judgedAt.toISOString(),
      reports,
    })),
    (_key, value: unknown) => (typeof value === 'string' ? storable(value) : value),
  );
}

function storable(text: string): string {
  return text.slice(0, LONGEST_TEXT).replaceAll('\0', '\u{FFFD}').toWellFormed();
}
