import { sql } from 'kysely';
import type { DatabaseAccess } from '../database-access.ts';

/** A span of the log: from where the database was installed or restored. */
export interface Epoch {
  readonly epoch: number;
  readonly origin: string;
  /** Leaves up to which what was published is still so; null for the present one. What was published beyond, a restore lost. */
  readonly endedAt: bigint | null;
}

/** What the database says of its log. */
export interface LogSpans {
  readonly epochs: readonly Epoch[];
  /** Leaves of the tree. */
  readonly size: bigint;
  /** Events that are no leaves yet. */
  readonly unsealed: bigint;
}

/** Reads the spans of the log and how far it is sealed. */
export async function readLogSpans({ reader }: Pick<DatabaseAccess, 'reader'>): Promise<LogSpans> {
  const { rows: epochs } = await sql<{ epoch: number; origin: string; ended_at: string | null }>`
    select epoch, origin, docket.agreed_size(epoch) as ended_at
    from docket_audit.epochs
    order by epoch`.execute(reader);
  const { rows } = await sql<{ size: string; events: string }>`
    select coalesce((select size from docket_audit.seals order by seal_no desc limit 1), 0) as size,
      (select count(*) from docket_audit.events) as events`.execute(reader);
  const size = BigInt(rows[0]?.size ?? 0);
  return {
    epochs: epochs.map(({ epoch, origin, ended_at }) => ({
      epoch,
      origin,
      endedAt: ended_at === null ? null : BigInt(ended_at),
    })),
    size,
    unsealed: BigInt(rows[0]?.events ?? 0) - size,
  };
}

/** Roots that the tree had at sizes, in hex, as its tiles give them now. Sizes above that of the tree have none. */
export async function readRoots(
  { reader }: Pick<DatabaseAccess, 'reader'>,
  sizes: readonly bigint[],
): Promise<Map<bigint, string>> {
  const { rows } = await sql<{ size: string; root: string }>`
    select s.size, encode(docket.tree_root(s.size), 'hex') as root
    from unnest(${sizes.map(String)}::bigint[]) as s (size)`.execute(reader);
  return new Map(rows.map((row) => [BigInt(row.size), row.root]));
}
