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
export async function readLogSpans(database: Pick<DatabaseAccess, 'reader'>): Promise<LogSpans> {
  const epochs = await readEpochs(database);
  const { rows } = await sql<{ size: string; events: string }>`
    select coalesce((select size from docket_audit.seals order by seal_no desc limit 1), 0) as size,
      (select count(*) from docket_audit.events) as events`.execute(database.reader);
  const size = BigInt(rows[0]?.size ?? 0);
  return { epochs, size, unsealed: BigInt(rows[0]?.events ?? 0) - size };
}

/** The same without counting events, which takes long where there are many. */
export async function readSealedSpans(
  database: Pick<DatabaseAccess, 'reader'>,
): Promise<Pick<LogSpans, 'epochs' | 'size'>> {
  const epochs = await readEpochs(database);
  const { rows } = await sql<{ size: string }>`
    select size from docket_audit.seals order by seal_no desc limit 1`.execute(database.reader);
  return { epochs, size: BigInt(rows[0]?.size ?? 0) };
}

async function readEpochs({ reader }: Pick<DatabaseAccess, 'reader'>): Promise<Epoch[]> {
  const { rows: epochs } = await sql<{ epoch: number; origin: string; ended_at: string | null }>`
    select epoch, origin, docket.agreed_size(epoch) as ended_at
    from docket_audit.epochs
    order by epoch`.execute(reader);
  return epochs.map(({ epoch, origin, ended_at }) => ({
    epoch,
    origin,
    endedAt: ended_at === null ? null : BigInt(ended_at),
  }));
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
