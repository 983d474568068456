import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/rows.ts';

const LOOK_EVERY_MS = 100;
const AT_MOST_MS = 15_000;

/** Waits until a checkpoint of all events is signed and kept outside; not for ever, as the demo goes without. */
export async function awaitCheckpoint(reader: Kysely<Database>, signal: AbortSignal): Promise<void> {
  const enough = AbortSignal.any([signal, AbortSignal.timeout(AT_MOST_MS)]);
  while (!enough.aborted && !(await isKept(reader))) {
    await delay(LOOK_EVERY_MS, undefined, { signal: enough }).catch(() => undefined);
  }
}

async function isKept(reader: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ is_kept: boolean }>`
    select coalesce(max(size), 0) = (select count(*) from docket_audit.events) as is_kept
    from docket_audit.checkpoints`.execute(reader);
  return rows[0]?.is_kept ?? false;
}
