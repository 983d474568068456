import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { isoTime } from '../iso-time.ts';
import type { Trouble } from './trouble.ts';

/** Work that is done once for all by any worker, and is behind. */
export interface StuckDuty {
  readonly duty: 'ages' | 'watch' | 'expire' | 'copies';
  readonly what: string;
  readonly since: string;
  readonly seconds: number;
}

/** What is behind for longer than any round takes. */
export async function stuckDuties(reader: Kysely<Database>): Promise<StuckDuty[]> {
  const { rows } = await sql<StuckDuty>`
    select d.duty, d.what, d.since, extract(epoch from clock_timestamp() - d.since)::float8 as seconds
    from (
      -- the first sealed event that is not counted
      select 'ages' as duty, 'Sealed events are not counted: ages and quarantines of that time are missing.' as what, e.at as since
      from docket.age_progress a
      cross join lateral (
        select s.epoch, s.xid_to, p.first_event_id
        from docket_audit.seals s
        join docket_audit.epochs p on p.epoch = s.epoch
        order by s.seal_no desc
        limit 1
      ) as h
      cross join lateral (
        select e.at
        from docket_audit.events e
        where e.event_id >= h.first_event_id and e.xid < h.xid_to
          and (e.xid, e.event_id) > (
            case when a.epoch = h.epoch then a.xid else '0' end, case when a.epoch = h.epoch then a.event_id else -1 end
          )
        order by e.xid, e.event_id
        limit 1
      ) as e
      where e.at < clock_timestamp() - interval '1 minute'
      union all
      select 'watch', 'Nobody looks whether something is wrong: alerts are neither opened nor closed.', w.watched_at
      from docket.watch_rounds w
      where w.watched_at < clock_timestamp() - interval '1 minute' and exists (
        select from docket.leases l
        where l.closed_at is null and l.deadline > clock_timestamp() and l.opened_at < clock_timestamp() - interval '1 minute'
      )
      union all
      select 'expire', format('The change %s of %s %s should have ended by itself, and did not.', c.change_id, c.control, c.target),
        c.expires_at
      from docket.control_states c
      where c.expires_at < clock_timestamp() - interval '1 minute'
      union all
      select 'copies', format('The %s %s takes no checkpoints: %s', p.kind, p.place, left(p.failure, 200)), p.failed_at
      from docket_audit.checkpoint_places p
      where p.failure is not null and p.failure not like 'CHECKPOINT_FORK: %'
    ) as d
    order by d.since
    limit 10`.execute(reader);
  return rows.map((row) => ({ ...row, since: isoTime(row.since) }));
}

const NEXT: Readonly<Record<StuckDuty['duty'], string>> = {
  ages: 'docket doctor',
  watch: 'docket doctor',
  expire: 'docket changes',
  copies: 'docket checkpoint list',
};

/** The same as troubles; where no worker is, they follow from that. */
export function dutyTroubles(duties: readonly StuckDuty[]): Trouble[] {
  return duties.map(({ duty, what, since, seconds }, at) => ({
    severity: 'warning',
    subject: duties.findIndex((other) => other.duty === duty) === at ? `duty:${duty}` : `duty:${duty}:${at}`,
    what,
    since,
    seconds,
    next_command: NEXT[duty],
  }));
}
