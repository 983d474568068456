import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/rows.ts';

const LOOK_EVERY_MS = 100;
const AT_MOST_MS = 30_000;

/** Waits until the senders of these jobs were told all that there is to tell; not for ever, as the demo goes without. */
export async function awaitReceipts(
  reader: Kysely<Database>,
  jobIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const enough = AbortSignal.any([signal, AbortSignal.timeout(AT_MOST_MS)]);
  const ordered = reader
    .selectFrom('docket.receipt_orders')
    .select('delivery_id')
    .where('job_id', 'in', jobIds);
  while (!enough.aborted && (await ordered.limit(1).executeTakeFirst()) !== undefined) {
    await delay(LOOK_EVERY_MS, undefined, { signal: enough }).catch(() => undefined);
  }
}
