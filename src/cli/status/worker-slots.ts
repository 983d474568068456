import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { isoTime } from '../iso-time.ts';

/** What a worker has of a pool. */
export interface PoolSlots {
  readonly pool: string;
  /** Documents that are worked on in it; null where it works on others. */
  readonly busy: number | null;
  readonly granted: number;
  /** Why it takes no more work of it by itself; null: it does. */
  readonly held_back: string | null;
}

/** A worker process whose lease holds. */
export interface LiveWorker {
  readonly host: string;
  readonly pid: number;
  /** Null: one that does not say it. */
  readonly version: string | null;
  readonly since: string;
  readonly slots: readonly PoolSlots[];
}

/** The workers that are at work, by host. */
export async function workerSlots(reader: Kysely<Database>): Promise<LiveWorker[]> {
  const { rows } = await sql<LiveWorker>`
    with busy as materialized (
      select a.lease_id, case when t.pool = 'ocr' and l.is_reserved then 'ocr_reserved' else t.pool end as pool, count(*) as busy
      from docket.jobs j
      cross join lateral (
        select a.lease_id, a.task from docket.attempts a
        where a.job_id = j.job_id and a.attempt = j.attempt and a.ended_at is null
        limit 1
      ) as a
      join docket.tasks t on t.task = a.task
      join docket.lanes l on l.lane = coalesce(j.lane, 'standard')
      where j.next_task is not null and j.token is not null
      group by 1, 2
    )
    select l.host, l.pid, l.version, l.opened_at as since,
      (
        select coalesce(
          json_agg(
            json_build_object(
              'pool', g.pool, 'granted', g.granted, 'held_back', g.held_back,
              'busy', case when g.pool <> 'audit' then coalesce(b.busy, 0) end
            )
            order by g.pool
          ),
          '[]'
        )
        from docket.slot_grants g
        left join busy b on b.lease_id = g.lease_id and b.pool = g.pool
        where g.lease_id = l.lease_id
      ) as slots
    from docket.leases l
    where l.closed_at is null and l.deadline > clock_timestamp()
    order by l.host, l.pid`.execute(reader);
  return rows.map((row) => ({ ...row, since: isoTime(row.since) }));
}

/** The slots of all of them together. */
export function fleetSlots(workers: readonly LiveWorker[]): PoolSlots[] {
  const pools = new Map<string, PoolSlots>();
  for (const { pool, busy, granted, held_back } of workers.flatMap(({ slots }) => slots)) {
    const known = pools.get(pool);
    pools.set(pool, {
      pool,
      busy: busy === null ? null : busy + (known?.busy ?? 0),
      granted: granted + (known?.granted ?? 0),
      held_back: held_back ?? known?.held_back ?? null,
    });
  }
  return [...pools.values()].sort((one, other) => one.pool.localeCompare(other.pool));
}

/** Who works, in a line for a person. */
export function workersLine(workers: readonly LiveWorker[]): string {
  const hosts = [...new Set(workers.map(({ host }) => host))];
  const versions = [...new Set(workers.map(({ version }) => version ?? 'unknown'))];
  const named =
    hosts.slice(0, 3).join(', ') + (hosts.length > 3 ? ` and ${hosts.length - 3} more hosts` : '');
  const slots = fleetSlots(workers)
    .filter(({ busy, held_back }) => busy !== null || held_back !== null)
    .map(
      ({ pool, busy, granted, held_back }) =>
        `${pool} ${busy ?? '-'} of ${granted}${held_back === null ? '' : ` (held back: ${held_back})`}`,
    );
  return [
    `Workers: ${workers.length}, on ${named}.`,
    ...(slots.length === 0 ? [] : [`Slots at work: ${slots.join(', ')}.`]),
    ...(versions.length === 1 ? [] : [`Versions: ${versions.join(', ')}.`]),
  ].join(' ');
}
