-- Closes the rows of attempts. The event that ends an attempt frees its job.
-- Called by: every command that ends an attempt, after hold_attempts or with the jobs locked. Not granted to anyone.
create or replace function docket.end_attempts(
  p_jobs uuid[],
  p_attempts integer[],
  p_outcome text,
  p_codes text[] default null,
  p_messages text[] default null
)
returns void
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  update docket.attempts a
  set ended_at = clock_timestamp(),
    outcome = case when p_outcome = 'done' and n.code is not null then 'failed' else p_outcome end,
    code = n.code,
    message = left(n.message, 500)
  from unnest(p_jobs, p_attempts, p_codes, p_messages) as n (job_id, attempt, code, message)
  where a.job_id = n.job_id and a.attempt = n.attempt and a.ended_at is null;
$$;
comment on function docket.end_attempts(uuid[], integer[], text, text[], text[]) is
  'Closes the named attempts with an outcome (done, failed, lost); done with a code means failed.';
