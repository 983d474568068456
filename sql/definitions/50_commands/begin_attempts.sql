-- Opens an attempt at a task for each job that is really due for it; a stale wake-up is absent from the answer.
-- Called by: the worker, before any work. Effects: attempts, fencing tokens; the event started for ocr.
-- Errors: ZD040 the lease has ended.
create or replace function docket.begin_attempts(
  p_jobs uuid[],
  p_task text,
  p_lease uuid
)
returns table (
  job_id uuid,
  attempt integer,
  token uuid,
  deadline timestamptz,
  seconds double precision,
  sha256 bytea,
  document_kind text,
  candidates json
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_deadline interval;
  v_worker text;
  v_jobs uuid[];
  v_attempts integer[];
begin
  -- lock
  select array_agg(due.job_id), array_agg(due.attempt + 1)
  into v_jobs, v_attempts
  from (
    select j.job_id, j.attempt
    from docket.jobs j
    where j.job_id = any (p_jobs)
      and j.next_task = p_task
      and j.token is null
      and (j.due_at is null or j.due_at <= v_now)
    order by j.job_id
    for no key update
  ) as due;

  -- check
  select l.host || '/' || l.pid into v_worker
  from docket.leases l
  where l.lease_id = p_lease and l.closed_at is null and l.deadline > v_now;
  if not found then
    raise exception 'lease % has ended', p_lease
      using errcode = 'ZD040', hint = 'Stop all work and open a new lease.';
  end if;
  if v_jobs is null then
    return;
  end if;

  -- record
  select t.deadline into v_deadline from docket.tasks t where t.task = p_task;
  with opened as (
    insert into docket.attempts (job_id, attempt, task, token, lease_id, started_at, deadline)
    select n.job_id, n.attempt, p_task, gen_random_uuid(), p_lease, v_now, v_now + v_deadline
    from unnest(v_jobs, v_attempts) as n (job_id, attempt)
    returning attempts.job_id, attempts.attempt, attempts.token
  )
  update docket.jobs j
  set attempt = o.attempt, tries = j.tries + 1, token = o.token
  from opened o
  where j.job_id = o.job_id;

  if p_task = 'ocr' then
    perform docket.record_events(
      v_jobs,
      array_fill('started'::text, array[cardinality(v_jobs)]),
      docket.actor(),
      null,
      null,
      v_attempts,
      array_fill(json_build_object('worker', v_worker)::text, array[cardinality(v_jobs)])
    );
  end if;

  return query
  select j.job_id, j.attempt, j.token, v_now + v_deadline, extract(epoch from v_deadline)::double precision,
    j.sha256, j.document_kind, case when p_task = 'publish' then '[]' else docket.candidate_locators(j.job_id, j.sha256) end
  from docket.jobs j
  where j.job_id = any (v_jobs);
end;
$$;
comment on function docket.begin_attempts(uuid[], text, uuid) is
  'Opens attempts at a task for the jobs that are due for it. Raises ZD040.';
