-- What is being read by an OCR configuration now. Found by the documents under way, as settle_lost_attempts does.
-- Called by: the steps of a rollback. Not granted to anyone.
create or replace function docket.open_readings(p_version integer)
returns table (job_id uuid, attempt integer, token uuid, is_left boolean)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_bitmapscan = off
as $$
  select a.job_id, a.attempt, a.token,
    not exists (
      select from docket.leases l where l.lease_id = a.lease_id and l.closed_at is null and l.deadline > clock_timestamp()
    )
  from docket.jobs j
  cross join lateral (
    select o.job_id, o.attempt, o.token, o.lease_id
    from docket.attempts o
    where o.job_id = j.job_id and o.attempt = j.attempt and o.token = j.token and o.ended_at is null and o.ocr_version = p_version
    limit 1
  ) as a
  where j.next_task is not null and j.token is not null
$$;
comment on function docket.open_readings(integer) is
  'Attempts at recognition under way by an OCR configuration, and whether their worker is gone.';
