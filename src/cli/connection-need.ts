import { sql, type Kysely } from 'kysely';
import type { Config } from '../config.ts';
import type { Database } from '../db/rows.ts';
import type { RUNNER_POOLS } from '../worker/connections.ts';
import { mostConnections } from '../worker/connections.ts';
import { countWorkers } from './live-workers.ts';

/** What senders, people and servers are left at least, where more is recommended. */
const FOR_OTHERS = 20;

/** What worker processes need of the connections that the server has for ordinary logins. */
export interface ConnectionNeed {
  /** Processes at work; one where none is. */
  readonly workers: number;
  readonly each: number;
  readonly needed: number;
  readonly available: number;
  readonly max_connections: number;
  /** Null where there are enough. */
  readonly finding: { readonly consequence: string; readonly remedy: string } | null;
}

/** Counts by the slots that are configured here, or that an operator set for each process. */
export async function connectionNeed(
  reader: Kysely<Database>,
  config: Pick<Config, 'ioSlots' | 'ocrSlots' | 'ocrReservedSlots'>,
): Promise<ConnectionNeed> {
  const configured: Record<(typeof RUNNER_POOLS)[number], number> = {
    io: config.ioSlots,
    ocr: config.ocrSlots,
    ocr_reserved: config.ocrReservedSlots,
  };
  const limits = await reader.selectFrom('docket.pool_limits').select(['pool', 'per_process']).execute();
  const slots = Object.entries(configured).map(
    ([pool, count]) => limits.find((limit) => limit.pool === pool)?.per_process ?? count,
  );
  const settings = await sql<{ most: number; reserved: number }>`
    select current_setting('max_connections')::integer as most,
      current_setting('superuser_reserved_connections')::integer + current_setting('reserved_connections')::integer
        as reserved`.execute(reader);
  const { most = 0, reserved = 0 } = settings.rows[0] ?? {};
  const workers = Math.max(await countWorkers(reader), 1);
  const each = mostConnections(slots.reduce((sum, count) => sum + count, 0));
  const needed = workers * each;
  const available = most - reserved;
  return {
    ...{ workers, each, needed, available, max_connections: most },
    finding:
      needed <= available
        ? null
        : {
            consequence:
              'under load the server refuses connections: attempts break off, and senders cannot deliver',
            remedy:
              `set max_connections to ${needed + reserved + FOR_OTHERS} or more and restart the server, ` +
              'run fewer worker processes, or give them fewer slots (docket pool set io --per-process N)',
          },
  };
}
