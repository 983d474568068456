-- Which of the named attempts were taken back by a rollback, so that the worker that still makes them ends them.
-- Called by: the worker, about the attempts at recognition that it has under way.
create or replace function docket.ended_readings(
  p_jobs uuid[],
  p_attempts integer[]
)
returns table (job_id uuid, attempt integer)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select a.job_id, a.attempt
  from unnest(p_jobs, p_attempts) as n (job_id, attempt)
  cross join lateral (
    select a.job_id, a.attempt
    from docket.attempts a
    where a.job_id = n.job_id and a.attempt = n.attempt and a.code = 'OCR_VERSION_WITHDRAWN'
    limit 1
  ) as a
$$;
comment on function docket.ended_readings(uuid[], integer[]) is 'Which of the named attempts were taken back by a rollback.';
