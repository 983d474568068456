-- Opens an attempt at a task for each job that is really due for it and whose message bears a reference that Docket signed for
-- it; a stale wake-up is absent from the answer. Of a message that is refused only message_no (its place in the arrays, from 1),
-- code and job_id are told, and no place of any object. A job that is due, but whose reference expired, gets a new one at its
-- old place in the queue. A job that needs what is down on the host is told with the code DEPENDENCY_DOWN, and is due again later.
-- For recognition, ocr_version is the configuration by which it is to be read.
-- Called by: the worker, before any work. Effects: attempts, fencing tokens; the event started for ocr; events reference_refused.
-- Errors: ZD040 the lease has ended.
create or replace function docket.begin_attempts(
  p_jobs uuid[],
  p_refs text[],
  p_task text,
  p_lease uuid
)
returns table (
  message_no integer,
  code text,
  job_id uuid,
  attempt integer,
  token uuid,
  deadline timestamptz,
  seconds double precision,
  sha256 bytea,
  document_kind text,
  candidates json,
  ocr_version integer
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
  v_host text;
  v_is_hindered boolean;
  v_held_back uuid[] := '{}';
  v_judged docket.judged_reference[];
  v_refused docket.judged_reference[];
  v_numbers integer[];
  v_jobs uuid[];
  v_attempts integer[];
  v_nonces uuid[];
  v_tokens uuid[];
  v_versions integer[];
begin
  v_judged := array(
    select r::docket.judged_reference from docket.judge_references(p_jobs, p_refs, p_task) r where r.verdict <> 'stale'
  );

  -- lock
  select array_agg(l.message_no) filter (where l.verdict = 'due'), array_agg(l.job_id) filter (where l.verdict = 'due'),
    array_agg(l.attempt) filter (where l.verdict = 'due'), array_agg(l.nonce) filter (where l.verdict = 'due'),
    array_agg(row(l.*)::docket.judged_reference) filter (where l.verdict <> 'due')
  into v_numbers, v_jobs, v_attempts, v_nonces, v_refused
  from (
    select r.*
    from unnest(v_judged) r
    join docket.jobs j on j.job_id = r.job_id
    where r.verdict in ('forged', 'replayed')
      or j.attempt + 1 = r.attempt and j.next_task = p_task and j.token is null and (j.due_at is null or j.due_at <= v_now)
    order by j.job_id
    for no key update of j
  ) as l;

  -- check
  select l.host || '/' || l.pid, l.host, exists (select from docket.breakers b where b.host = l.host and b.state <> 'closed')
  into v_worker, v_host, v_is_hindered
  from docket.leases l
  where l.lease_id = p_lease and l.closed_at is null and l.deadline > v_now;
  if not found then
    raise exception 'lease % has ended', p_lease
      using errcode = 'ZD040', hint = 'Stop all work and open a new lease.';
  end if;

  if v_is_hindered then
    v_held_back := docket.hold_back(v_jobs, v_attempts, p_task, v_host);
    select array_agg(n.message_no), array_agg(n.job_id), array_agg(n.attempt), array_agg(n.nonce)
    into v_numbers, v_jobs, v_attempts, v_nonces
    from unnest(v_numbers, v_jobs, v_attempts, v_nonces) as n (message_no, job_id, attempt, nonce)
    where n.job_id <> all (v_held_back);
  end if;

  -- record
  if v_refused is not null then
    perform docket.refuse_references(v_refused, p_refs, p_task, v_worker);
  end if;
  if v_jobs is not null then
    select t.deadline into v_deadline from docket.tasks t where t.task = p_task;
    v_tokens := array(select gen_random_uuid() from unnest(v_jobs));
    if p_task = 'ocr' then
      v_versions := array(
        select docket.ocr_version_for(n.job_id, c)
        from unnest(v_jobs) with ordinality as n (job_id, place)
        cross join docket.ocr_choice c
        order by n.place
      );
    end if;
    insert into docket.attempts (job_id, attempt, task, token, lease_id, started_at, deadline, reference_nonce, ocr_version)
    select n.job_id, n.attempt, p_task, n.token, p_lease, v_now, v_now + v_deadline, n.nonce, n.ocr_version
    from unnest(v_jobs, v_attempts, v_tokens, v_nonces, v_versions) as n (job_id, attempt, token, nonce, ocr_version);
    if p_task <> 'ocr' then
      update docket.jobs j
      set attempt = n.attempt, tries = j.tries + 1, token = n.token
      from unnest(v_jobs, v_attempts, v_tokens) as n (job_id, attempt, token)
      where j.job_id = n.job_id;
    else
      perform docket.record_events(
        v_jobs,
        array_fill('started'::text, array[cardinality(v_jobs)]),
        docket.actor(),
        null,
        null,
        v_attempts,
        array_fill(json_build_object('worker', v_worker)::text, array[cardinality(v_jobs)]),
        null,
        null,
        v_tokens
      );
    end if;
  end if;

  -- enqueue
  if exists (select from unnest(v_refused) r where r.verdict = 'expired') then
    perform docket.wake_jobs(
      array_agg(j.job_id), array_fill(p_task, array[count(*)::integer]), array_agg(coalesce(j.due_at, j.state_at))
    )
    from docket.jobs j
    where j.token is null
      and j.job_id in (select r.job_id from unnest(v_refused) r where r.verdict = 'expired')
    having count(*) > 0;
  end if;

  return query
  select n.message_no, null, n.job_id, n.attempt, n.token, v_now + v_deadline, extract(epoch from v_deadline)::double precision,
    j.sha256, j.document_kind, case when p_task = 'publish' then '[]' else docket.candidate_locators(j.job_id, j.sha256) end,
    n.ocr_version
  from unnest(v_jobs, v_numbers, v_attempts, v_tokens, v_versions) as n (job_id, message_no, attempt, token, ocr_version)
  join docket.jobs j on j.job_id = n.job_id
  where j.job_id = any (v_jobs)
  union all
  select r.message_no, 'REFERENCE_' || upper(r.verdict), r.job_id, null, null, null, null, null, null, null, null
  from unnest(v_judged) r
  where r.verdict <> 'due'
  union all
  select r.message_no, 'DEPENDENCY_DOWN', r.job_id, null, null, null, null, null, null, null, null
  from unnest(v_judged) r
  where r.verdict = 'due' and r.job_id = any (v_held_back);
end;
$$;
comment on function docket.begin_attempts(uuid[], text[], text, uuid) is
  'Opens attempts at a task for the jobs that are due for it and whose reference is good. Raises ZD040.';
