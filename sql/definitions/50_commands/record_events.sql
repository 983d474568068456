-- The one place where events of existing jobs are written: any number of jobs, one event each.
-- Called by: the other commands, which have locked the jobs. Not granted to anyone.
-- Effects: events; state, sequence, head, result and next task of the jobs; the token of an attempt that ended; tries start again
-- when another task is next; queue rows of tasks that became due. Where there is a token, the next attempt at the task is under way
-- with it from this event on: that job needs no queue row.
-- Errors: ZD002 the event is not possible in the state of a job · ZD005 the caller is of another role.
create or replace function docket.record_events(
  p_jobs uuid[],
  p_events text[],
  p_actor text,
  p_reasons text[],
  p_codes text[],
  p_attempts integer[],
  p_details text[],
  p_due_at timestamptz[] default null,
  p_results bytea[] default null,
  p_tokens uuid[] default null
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_recorded uuid[];
  v_events text[];
  v_denied record;
  v_bad record;
begin
  -- record
  with steps as materialized (
    select j.job_id, j.seq + 1 as seq, t.from_state, t.event, t.to_state, t.ends_attempt,
      case
        when t.next_task is not null then t.next_task
        when t.to_state in ('published', 'quarantined') or t.from_state = 'quarantined' then null
        else j.next_task
      end as next_task,
      t.next_task is not null as is_due,
      greatest(clock_timestamp(), j.state_at) as at,
      coalesce(n.reason, t.meaning) as reason, n.code, n.attempt, coalesce(n.detail, '{}') as detail, n.due_at, n.result_sha256,
      n.token, j.head as prev
    from unnest(p_jobs, p_events, p_reasons, p_codes, p_attempts, p_details, p_due_at, p_results, p_tokens)
      as n (job_id, event, reason, code, attempt, detail, due_at, result_sha256, token)
    join docket.jobs j on j.job_id = n.job_id
    join docket.job_transitions t on t.from_state = j.state and t.event = n.event
  ),
  entries as materialized (
    select s.*,
      docket_audit.event_hash(
        s.job_id, s.seq, s.from_state, s.event, s.to_state, s.at, p_actor, s.reason, s.code, s.attempt, s.detail, s.prev
      ) as hash
    from steps s
  ),
  recorded as (
    insert into docket_audit.events
      (job_id, seq, from_state, event, to_state, at, actor, reason, code, attempt, detail, prev, hash)
    select job_id, seq, from_state, event, to_state, at, p_actor, reason, code, attempt, detail, prev, hash
    from entries
  ),
  moved as (
    update docket.jobs j
    set state = e.to_state, seq = e.seq, head = e.hash, next_task = e.next_task,
      state_at = case when e.is_due or e.from_state <> e.to_state then e.at else j.state_at end,
      due_at = case when e.is_due then e.due_at when e.next_task is not null then j.due_at end,
      token = case when e.token is not null then e.token when not e.ends_attempt then j.token end,
      attempt = case when e.token is null then j.attempt else j.attempt + 1 end,
      tries = case when e.next_task is distinct from j.next_task then 0 else j.tries end
        + case when e.token is null then 0 else 1 end,
      result_sha256 = coalesce(e.result_sha256, j.result_sha256),
      -- whichever attempt brought this very result first
      result_attempt = case
        when e.result_sha256 is null then j.result_attempt
        else (select r.attempt from docket.results r where r.job_id = e.job_id and r.result_sha256 = e.result_sha256)
      end
    from entries e
    where j.job_id = e.job_id
    returning j.job_id
  ),
  woken as (
    select docket.wake_jobs(array_agg(e.job_id), array_agg(e.next_task), array_agg(e.due_at))::text as done
    from entries e
    where e.is_due and e.token is null
    having count(*) > 0
  )
  select array(select m.job_id from moved m), array(select distinct e.event from entries e)
  into v_recorded, v_events
  from (select max(w.done) from woken w) as w;

  -- check
  if cardinality(v_recorded) < cardinality(p_jobs) then
    select n.job_id, n.event, coalesce(j.state, 'none') as state
    into v_bad
    from unnest(p_jobs, p_events) as n (job_id, event)
    left join docket.jobs j on j.job_id = n.job_id
    where n.job_id <> all (v_recorded)
    limit 1;
    raise exception 'event "%" is not possible in state "%" of job %', v_bad.event, v_bad.state, v_bad.job_id
      using errcode = 'ZD002', hint = 'Legal steps are the rows of docket.job_transitions.';
  end if;
  select t.event, t.actor_role
  into v_denied
  from docket.job_transitions t
  where t.event = any (v_events) and not docket.acts_as(t.actor_role)
  limit 1;
  if found then
    raise exception '"%" may not record event "%": it belongs to %', docket.actor(), v_denied.event, v_denied.actor_role
      using errcode = 'ZD005', hint = 'Ask a member of that role.';
  end if;
end;
$$;
comment on function docket.record_events(uuid[], text[], text, text[], text[], integer[], text[], timestamptz[], bytea[], uuid[]) is
  'Records one event for each job, moves the jobs and wakes the next tasks. Raises ZD002, ZD005.';
