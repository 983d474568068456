import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../db/rows.ts';
import { DocketError } from '../errors.ts';
import { isoTime } from './iso-time.ts';

/** How far the log is sealed, and of how much of it a checkpoint was signed. */
export interface SealingFacts {
  readonly size: number;
  readonly sealed_at: string | null;
  readonly unsealed_events: number;
  /** Age of the oldest event that is not sealed, in seconds. */
  readonly unsealed_seconds: number | null;
  /** SEAL_STALLED, RECOVERY_NEEDED; null: as it should be. */
  readonly code: string | null;
  readonly blocker: string | null;
  readonly remedy: string | null;
  /** Leaves that the newest checkpoint counts, and when it was recorded. */
  readonly checkpoint_size: number | null;
  readonly checkpoint_at: string | null;
  /** Why none is signed: what a checkpoint outside counts is not what the database has. */
  readonly checkpoint_fork: string | null;
}

/** Reads how sealing stands. */
export async function sealingFacts(reader: Kysely<Database>): Promise<SealingFacts> {
  const { rows } = await sql<SealingFacts>`
    select s.size::float8, s.sealed_at, s.unsealed_events::float8,
      extract(epoch from s.unsealed_for)::float8 as unsealed_seconds, s.code, s.blocker, s.remedy,
      c.size::float8 as checkpoint_size, c.recorded_at as checkpoint_at, f.failure as checkpoint_fork
    from docket.seal_status() s
    left join lateral (
      select size, recorded_at from docket_audit.checkpoints order by epoch desc, size desc limit 1
    ) as c on true
    left join lateral (
      select failure from docket_audit.checkpoint_places
      where failure like 'CHECKPOINT_FORK: %' order by failed_at desc limit 1
    ) as f on true`.execute(reader);
  const [facts] = rows;
  if (!facts) throw new DocketError('INTERNAL_ERROR', 'docket.seal_status() has no row');
  return { ...facts, sealed_at: isoTime(facts.sealed_at), checkpoint_at: isoTime(facts.checkpoint_at) };
}

/** What is the matter where nothing is in the way. */
const WITHOUT_BLOCKER: Readonly<Record<string, string>> = {
  SEAL_STALLED: 'no worker seals',
  RECOVERY_NEEDED: 'the database was restored',
};

/** The same for a person. */
export function sealingLine(facts: SealingFacts): string {
  const { size, unsealed_events, unsealed_seconds, code, blocker, remedy } = facts;
  const { checkpoint_size, checkpoint_at, checkpoint_fork } = facts;
  const lag =
    unsealed_events === 0
      ? 'nothing waits'
      : `${unsealed_events} more wait, the oldest for ${(unsealed_seconds ?? 0).toFixed(0)} s`;
  const checkpoint =
    checkpoint_size === null
      ? 'No checkpoint was signed yet.'
      : `The last checkpoint is of ${checkpoint_size} leaves, ${checkpoint_at ?? ''}.`;
  return [
    `Sealed: ${size} events; ${lag}. ${checkpoint}`,
    ...(code === null
      ? []
      : [`${code}: ${blocker ?? WITHOUT_BLOCKER[code] ?? ''}\n  end it by: ${remedy ?? ''}`]),
    ...(checkpoint_fork === null
      ? []
      : [
          `${checkpoint_fork}\n  no checkpoint is signed until you know why: docs/checkpoints.md, after a restore`,
        ]),
  ].join('\n');
}
