import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../db/rows.ts';
import { eventHash } from '../domain/event-hash.ts';

/** An event of the audit log, its hash recomputed outside the database. */
export interface CheckedEvent {
  readonly at: string;
  readonly event: string;
  readonly state: string;
  readonly actor: string;
  readonly reason: string;
  readonly code: string | null;
  readonly attempt: number | null;
  readonly hash: string;
  /** Whether the hash is that of the event and follows on the event before. */
  readonly chainOk: boolean;
}

interface Row {
  job_id: string;
  seq: number;
  from_state: string;
  event: string;
  to_state: string;
  at: string;
  at_micros: string;
  actor: string;
  reason: string;
  code: string | null;
  attempt: number | null;
  detail: string;
  prev: Buffer | null;
  hash: Buffer;
}

/** The events of jobs in order, by job. */
export async function checkedTimelines(
  reader: Kysely<Database>,
  jobIds: readonly string[],
): Promise<Map<string, CheckedEvent[]>> {
  const { rows } = await sql<Row>`
    select job_id, seq, from_state, event, to_state, at,
      (extract(epoch from at) * 1000000)::bigint - 946684800000000 as at_micros,
      actor, reason, code, attempt, detail, prev, hash
    from docket_audit.events
    where job_id = any (${jobIds}::uuid[])
    order by job_id, seq`.execute(reader);
  const timelines = new Map<string, CheckedEvent[]>();
  for (const row of rows) {
    const timeline = timelines.get(row.job_id) ?? [];
    timelines.set(row.job_id, timeline);
    timeline.push(check(row, timeline));
  }
  return timelines;
}

function check(row: Row, before: readonly CheckedEvent[]): CheckedEvent {
  const last = before.at(-1);
  const recomputed = eventHash({
    jobId: row.job_id,
    seq: row.seq,
    fromState: row.from_state,
    event: row.event,
    toState: row.to_state,
    atMicros: BigInt(row.at_micros),
    actor: row.actor,
    reason: row.reason,
    code: row.code,
    attempt: row.attempt,
    detail: row.detail,
    prev: row.prev,
  });
  const followsOn =
    row.seq === before.length + 1 &&
    row.from_state === (last?.state ?? 'none') &&
    (row.prev?.toString('hex') ?? null) === (last?.hash ?? null);
  return {
    at: row.at,
    event: row.event,
    state: row.to_state,
    actor: row.actor,
    reason: row.reason,
    code: row.code,
    attempt: row.attempt,
    hash: row.hash.toString('hex'),
    chainOk: followsOn && recomputed.equals(row.hash),
  };
}
