-- The fence. Locks the jobs whose attempt under way is the one named; all others are absent from the answer.
-- Called by: every command that ends an attempt. Not granted to anyone.
create or replace function docket.hold_attempts(
  p_jobs uuid[],
  p_attempts integer[],
  p_tokens uuid[]
)
returns setof docket.jobs
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  select j.*
  from docket.jobs j
  join unnest(p_jobs, p_attempts, p_tokens) as n (job_id, attempt, token) on n.job_id = j.job_id
  where j.attempt = n.attempt and j.token = n.token
  order by j.job_id
  for no key update of j
$$;
comment on function docket.hold_attempts(uuid[], integer[], uuid[]) is
  'Locks and returns the jobs whose open attempt and token are those named: the fence of every worker write.';
