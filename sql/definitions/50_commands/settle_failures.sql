-- The retry policy, in one place: by reason, with back-off and jitter, capped; the first code is kept.
-- Called by: fail_attempts, settle_lost_attempts and take_back_readings, with the jobs locked. Not granted to anyone.
-- A code that is not retryable quarantines at once. A retryable one may come max_tries times, each code for itself, then the job is
-- quarantined as RETRY_EXHAUSTED (CRASH_LOOP for lost workers), and the event names the original code. What failed while
-- something that it needed was down on its host counts as no try, nor does what was taken from its worker.
create or replace function docket.settle_failures(
  p_failed docket.failed_attempt[],
  p_outcome text,
  p_retry_suffix text
)
returns table (job_id uuid, outcome text, code text, due_at timestamptz)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_settled record;
begin
  perform docket.note_failures(p_failed);

  -- check
  with judged as materialized (
    select f.*, j.accepted_at, c.meaning, c.base_delay, c.longest_delay, c.is_retryable, excused.is_excused,
      earlier.count + case when excused.is_excused then 0 else 1 end as times,
      c.is_retryable and (excused.is_excused or earlier.count + 1 < c.max_tries) as is_retried
    from unnest(p_failed) as f
    join docket.jobs j on j.job_id = f.job_id
    join docket.failure_codes c on c.code = f.code
    join docket.attempts t on t.job_id = f.job_id and t.attempt = f.attempt
    cross join lateral (
      select docket.is_excused(c.dependency, t.lease_id, t.started_at, clock_timestamp()) as is_excused
    ) as excused
    cross join lateral (
      select count(*)
      from docket.attempts a
      where a.job_id = f.job_id and a.attempt between f.attempt - f.tries and f.attempt - 1 and a.code = f.code
        and not docket.is_excused(c.dependency, a.lease_id, a.started_at, a.ended_at)
    ) as earlier
  ),
  decided as materialized (
    select g.*,
      case
        when g.is_retried or not g.is_retryable then g.code
        when g.code in ('WORKER_LOST', 'WORKER_KILLED') then 'CRASH_LOOP'
        else 'RETRY_EXHAUSTED'
      end as final_code,
      case
        -- at once, before all that became due since it was; it was in line before them, and what kills workers is tried a few times only
        when g.base_delay = interval '0' then g.accepted_at
        else clock_timestamp() + docket.back_off(g.base_delay, g.longest_delay, greatest(g.times - 1, 0))
      end as due_at
    from judged g
  )
  select array_agg(d.job_id) as jobs, array_agg(d.attempt) as attempts, array_agg(d.code) as codes,
    array_agg(d.message) as messages, array_agg(d.final_code) as final_codes,
    array_agg(case when d.is_retried then d.task || p_retry_suffix else 'quarantined' end) as events,
    array_agg(case when d.is_retried then d.due_at end) as due_at,
    array_agg(d.meaning) as reasons,
    array_agg(case when d.is_retried then 'retry' else 'quarantined' end) as outcomes,
    array_agg(case when not d.is_excused and d.code not in ('WORKER_STOPPING', 'OCR_VERSION_WITHDRAWN') then d.code end) as first_codes,
    array_agg(
      json_build_object(
        'task', d.task, 'tries', d.times, 'code', d.code, 'first_code', coalesce(j.first_code, d.code)
      )::text
    ) as details
  into v_settled
  from decided d
  join docket.jobs j on j.job_id = d.job_id;
  if v_settled.jobs is null then
    return;
  end if;

  -- record
  perform docket.end_attempts(v_settled.jobs, v_settled.attempts, p_outcome, v_settled.codes, v_settled.messages);
  update docket.jobs j
  set first_code = coalesce(j.first_code, n.first_code),
    last_code = n.final_code,
    tries = case when n.code in ('WORKER_STOPPING', 'OCR_VERSION_WITHDRAWN') then j.tries - 1 else j.tries end
  from unnest(v_settled.jobs, v_settled.codes, v_settled.first_codes, v_settled.final_codes)
    as n (job_id, code, first_code, final_code)
  where j.job_id = n.job_id;

  -- enqueue
  perform docket.record_events(
    v_settled.jobs,
    v_settled.events,
    docket.actor(),
    v_settled.reasons,
    v_settled.final_codes,
    v_settled.attempts,
    v_settled.details,
    v_settled.due_at
  );
  perform docket.order_receipts_of(
    array(
      select n.job_id from unnest(v_settled.jobs, v_settled.outcomes) as n (job_id, outcome) where n.outcome = 'quarantined'
    )
  );
  return query
  select * from unnest(v_settled.jobs, v_settled.outcomes, v_settled.final_codes, v_settled.due_at);
end;
$$;
comment on function docket.settle_failures(docket.failed_attempt[], text, text) is
  'Decides retry or quarantine for failed or lost attempts, and records it.';
