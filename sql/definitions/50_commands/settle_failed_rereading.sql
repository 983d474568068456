-- Decides what follows from a failed or lost attempt at a re-reading: another try at a jittered time, as docket.failure_codes says, or its
-- end. By an OCR configuration that was rolled back nothing is tried again. What failed while something that it needed was down on its
-- host, or because its worker was told to stop, counts as no try.
-- Called by: record_rereadings, take_back_rereadings, with the job and the re-reading locked. Not granted to anyone.
-- Effects: rereadings, reread_attempts; where it ends, those of end_reread_attempt.
create or replace function docket.settle_failed_rereading(
  p_rereading_id bigint,
  p_attempt integer,
  p_code text,
  p_message text,
  p_how text
)
returns table (outcome text, code text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := clock_timestamp();
  v_failed record;
begin
  -- check
  select r.tries, f.base_delay, f.longest_delay, f.is_retryable is true as is_retryable, f.max_tries,
    exists (select from docket.ocr_withdrawals w where w.ocr_version = r.ocr_version) as is_withdrawn,
    (p_code = 'WORKER_STOPPING' or docket.is_excused(f.dependency, a.lease_id, a.started_at, v_now)) is true as is_excused
  into strict v_failed
  from docket.rereadings r
  join docket.reread_attempts a on a.rereading_id = r.rereading_id and a.attempt = p_attempt
  left join docket.failure_codes f on f.code = p_code
  where r.rereading_id = p_rereading_id;
  code := case when v_failed.is_withdrawn then 'OCR_VERSION_WITHDRAWN' else p_code end;

  -- record
  if not v_failed.is_withdrawn and v_failed.is_retryable and (v_failed.is_excused or v_failed.tries < v_failed.max_tries) then
    outcome := 'retry';
    update docket.reread_attempts a
    set ended_at = v_now, outcome = p_how, code = p_code, message = left(p_message, 500)
    where a.rereading_id = p_rereading_id and a.attempt = p_attempt and a.ended_at is null;
    update docket.rereadings r
    set tries = case when v_failed.is_excused then greatest(r.tries - 1, 0) else r.tries end,
      due_at = v_now + docket.back_off(v_failed.base_delay, v_failed.longest_delay, greatest(r.tries - 1, 0))
    where r.rereading_id = p_rereading_id;
  else
    outcome := 'failed';
    perform docket.end_reread_attempt(p_rereading_id, p_attempt, outcome, code, p_message, p_how => p_how);
  end if;
  return next;
end;
$$;
comment on function docket.settle_failed_rereading(bigint, integer, text, text, text) is
  'Decides whether a failed or lost attempt at a re-reading is tried again, and when; or ends it.';
