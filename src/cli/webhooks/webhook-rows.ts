import type { Kysely } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { isoTime } from '../iso-time.ts';

/** The headings of what a person is told of how a webhook does; see `webhookCells`. */
export const WEBHOOK_HEADINGS = [
  'url',
  'enabled',
  'waiting',
  'since',
  'failures',
  'rests until',
  'last failure',
];

/** How a webhook does; `source` is null where alerts are sent to it. */
export interface WebhookFacts {
  readonly webhook: number | null;
  readonly source: string | null;
  readonly url: string | null;
  readonly enabled: boolean | null;
  readonly waiting: number;
  readonly waiting_since: string | null;
  readonly failures: number | null;
  readonly resting_until: string | null;
  readonly last_failure: string | null;
}

/** How webhooks do: of receipts, by source, or of alerts. */
export async function webhookRows(
  reader: Kysely<Database>,
  of: 'receipts' | 'alerts',
): Promise<WebhookFacts[]> {
  const rows = await reader
    .selectFrom('docket.webhook_states')
    .selectAll()
    .where('source_id', of === 'receipts' ? 'is not' : 'is', null)
    .orderBy('source_id')
    .orderBy('webhook_id')
    .execute();
  return rows.map((row) => ({
    webhook: row.webhook_id,
    source: row.source_id,
    url: row.url,
    enabled: row.is_enabled,
    waiting: Number(row.waiting),
    waiting_since: isoTime(row.waiting_since),
    failures: row.failures,
    resting_until: isoTime(row.resting_until),
    last_failure: row.last_failure,
  }));
}

/** A webhook as a person is told of it, under WEBHOOK_HEADINGS. */
export function webhookCells(one: Omit<WebhookFacts, 'source'>): (string | number | null)[] {
  return [
    one.url,
    one.enabled ? 'yes' : 'no',
    one.waiting,
    one.waiting_since,
    one.failures,
    one.resting_until,
    one.last_failure,
  ];
}
