-- Opens an attempt at publishing for each document that passed its gates, under the lease of the attempt that recognised it; of a lease
-- that has ended none. Answers the tokens, null where there is none, in the order of the jobs.
-- Called by: pass_gates, which records the event that the attempt follows. Not granted to anyone.
create or replace function docket.open_publishing(
  p_jobs uuid[],
  p_attempts integer[],
  p_codes text[]
)
returns uuid[]
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
    select n.place, a.job_id, a.attempt, a.lease_id, case when n.code is null and l.closed_at is null then gen_random_uuid() end as token
    from unnest(p_jobs, p_attempts, p_codes) with ordinality as n (job_id, attempt, code, place)
    join docket.attempts a on a.job_id = n.job_id and a.attempt = n.attempt
    join docket.leases l on l.lease_id = a.lease_id
  ),
  opened as (
    insert into docket.attempts (job_id, attempt, task, token, lease_id, started_at, deadline)
    select f.job_id, f.attempt + 1, t.task, f.token, f.lease_id, n.at, n.at + t.deadline
    from following f
    cross join clock n
    join docket.tasks t on t.task = 'publish'
    where f.token is not null
  )
  select array_agg(f.token order by f.place) from following f
$$;
comment on function docket.open_publishing(uuid[], integer[], text[]) is
  'Opens an attempt at publishing for documents that passed their gates. Their tokens.';
