-- Whether no worker can read by an OCR configuration: on every host with a worker the engine is down, and failed a document that still
-- waits by this very configuration since it is. An engine that is down by another configuration says nothing of this one, and where
-- nothing waits that would try it again, nobody would ever know.
-- Called by: restore_for_rollback. Not granted to anyone.
create or replace function docket.engine_fails_by(p_version integer)
returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_bitmapscan = off
as $$
  select coalesce(
    (
      select bool_and(
        exists (
          select
          from docket.breakers b
          cross join docket.jobs j
          join docket.attempts a on a.job_id = j.job_id and a.attempt between j.attempt - j.tries - 10 and j.attempt
          join docket.leases l on l.lease_id = a.lease_id
          join docket.failure_codes c on c.code = a.code
          where b.host = h.host and b.dependency = 'engine' and b.state <> 'closed' and j.next_task = 'ocr'
            and a.ocr_version = p_version and a.ended_at >= b.first_failure_at and l.host = h.host and c.dependency = 'engine'
        )
      )
      from (
        select distinct l.host from docket.leases l where l.closed_at is null and l.deadline > clock_timestamp()
      ) as h
    ),
    false
  )
$$;
comment on function docket.engine_fails_by(integer) is 'Whether no worker can read by an OCR configuration.';
