import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/rows.ts';

/** What was done in the last minute or two: since the minute began that was a minute ago. */
export interface Throughput {
  /** From 60 to 120. */
  readonly seconds: number;
  readonly published: number;
  readonly quarantined: number;
  /** How long 95 of 100 of the published took at most; null where none was. */
  readonly p95_seconds: number | null;
}

/** Reads it from what is counted by minutes, seconds behind. */
export async function throughput(reader: Kysely<Database>): Promise<Throughput> {
  const { rows } = await sql<Throughput>`
    select extract(epoch from clock_timestamp() - m.since)::float8 as seconds,
      (
        select coalesce(sum(a.documents), 0)::float8 from docket.age_minutes a where a.at >= m.since and a.measure = 'whole'
      ) as published,
      (select coalesce(sum(q.documents), 0)::float8 from docket.quarantine_minutes q where q.at >= m.since) as quarantined,
      (select p.p95_ms / 1000 from docket.age_percentiles('1 minute', 'all') as p where p.measure = 'whole') as p95_seconds
    from (
      select date_bin('1 minute', clock_timestamp() - interval '1 minute', timestamptz '2000-01-01 00:00:00+00') as since
    ) as m`.execute(reader);
  return rows[0] ?? { seconds: 60, published: 0, quarantined: 0, p95_seconds: null };
}

/** How many that is in a minute: `42`, `0.7`. */
export function aMinute(count: number, { seconds }: Pick<Throughput, 'seconds'>): string {
  const rate = (count * 60) / Math.max(seconds, 1);
  return rate >= 10 || Number.isInteger(rate) ? String(Math.round(rate)) : rate.toFixed(1);
}
