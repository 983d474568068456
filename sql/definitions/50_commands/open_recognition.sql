-- Opens an attempt at recognition for each document that was verified, under the lease of the attempt that verified it, for whoever goes
-- on at once; none where that lease has ended, or where something is away on its host. Answers the tokens, null where there is none, and
-- what the event started says of them, in the order of the jobs.
-- Called by: record_verified, which records the events that the attempt follows. Not granted to anyone.
create or replace function docket.open_recognition(
  p_jobs uuid[],
  p_attempts integer[],
  p_going uuid[]
)
returns table (tokens uuid[], details text[])
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  -- the clock is read once: an attempt begins when its time begins
  with clock as materialized (
    select clock_timestamp() as at
  ),
  following as materialized (
    select n.place, n.job_id, n.attempt, l.lease_id, l.host, l.pid, case when l.lease_id is not null then gen_random_uuid() end as token
    from unnest(p_jobs, p_attempts) with ordinality as n (job_id, attempt, place)
    left join lateral (
      select l.lease_id, l.host, l.pid
      from docket.attempts a
      cross join lateral (select * from docket.leases l where l.lease_id = a.lease_id limit 1) as l
      where n.job_id = any (p_going) and a.job_id = n.job_id and a.attempt = n.attempt
        and l.closed_at is null and l.deadline > clock_timestamp()
        and not exists (select from docket.breakers b where b.host = l.host and b.state <> 'closed')
      limit 1
    ) as l on true
  ),
  opened as (
    insert into docket.attempts (job_id, attempt, task, token, lease_id, started_at, deadline, ocr_version)
    select f.job_id, f.attempt + 1, t.task, f.token, f.lease_id, n.at, n.at + t.deadline,
      docket.ocr_version_for(f.job_id, c)
    from following f
    cross join clock n
    join docket.tasks t on t.task = 'ocr'
    cross join docket.ocr_choice c
    where f.token is not null
  )
  select array_agg(f.token order by f.place),
    array_agg(case when f.token is not null then json_build_object('worker', f.host || '/' || f.pid)::text end order by f.place)
  from following f
$$;
comment on function docket.open_recognition(uuid[], integer[], uuid[]) is
  'Opens an attempt at recognition for documents that were verified. Their tokens, and the details of started.';
