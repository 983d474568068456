-- Decides what follows from a failure: another try at a jittered time, or quarantine. Nothing else decides it.
-- Called by: every task, for any failure. Effects: attempts; events of retry or quarantine; first and last code of the jobs.
-- Errors: ZD022 a code is not known.
create or replace function docket.fail_attempts(
  p_jobs uuid[],
  p_attempts integer[],
  p_tokens uuid[],
  p_codes text[],
  p_messages text[]
)
returns table (job_id uuid, attempt integer, outcome text, code text, run_at timestamptz)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_failed docket.failed_attempt[];
begin
  -- check
  perform docket.require_failure_codes(p_codes);

  -- lock
  select array_agg(row(h.job_id, h.attempt, h.next_task, h.tries, n.code, n.message)::docket.failed_attempt)
  into v_failed
  from docket.hold_attempts(p_jobs, p_attempts, p_tokens) h
  join unnest(p_jobs, p_attempts, p_tokens, p_codes, p_messages) as n (job_id, attempt, token, code, message)
    on n.job_id = h.job_id and n.attempt = h.attempt and n.token = h.token;

  -- record, enqueue
  return query
  select n.job_id, n.attempt, coalesce(d.outcome, 'stale'), d.code, d.due_at
  from unnest(p_jobs, p_attempts) as n (job_id, attempt)
  left join unnest(v_failed) as f on f.job_id = n.job_id and f.attempt = n.attempt
  left join docket.settle_failures(v_failed, 'failed', '_retry') d on d.job_id = f.job_id;
end;
$$;
comment on function docket.fail_attempts(uuid[], integer[], uuid[], text[], text[]) is
  'Settles failed attempts: retry (with its time), quarantined or stale, with the code that was recorded. Raises ZD022.';
