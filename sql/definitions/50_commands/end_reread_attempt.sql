-- Ends a re-reading with the attempt at it, and what the log is told of that where nothing is superseded.
-- Called by: record_rereadings and what it is made of, with the job and the re-reading locked. Not granted to anyone.
-- Effects: rereadings, reread_attempts, ocr_trials; of an order, not of a trial, the event reread_ended.
create or replace function docket.end_reread_attempt(
  p_rereading_id bigint,
  p_attempt integer,
  p_outcome text,
  p_code text default null,
  p_message text default null,
  p_reasons text[] default null,
  p_result_sha256 bytea default null,
  p_how text default 'done'
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_reread docket.rereadings;
begin
  update docket.reread_attempts a
  set ended_at = clock_timestamp(), outcome = p_how, code = p_code, message = left(p_message, 500)
  where a.rereading_id = p_rereading_id and a.attempt = p_attempt and a.ended_at is null;
  select * into strict v_reread from docket.rereadings r where r.rereading_id = p_rereading_id;
  if v_reread.trial_id is null and p_outcome <> 'superseded' then
    perform docket.record_events(
      array[v_reread.job_id],
      array['reread_ended'],
      docket.actor(),
      null,
      -- what is known to the workings of re-readings alone is no failure code of documents
      array(select (select f.code from docket.failure_codes f where f.code = p_code)),
      null,
      array[
        json_build_object(
          'rereading', p_rereading_id, 'ocr_version', v_reread.ocr_version, 'outcome', p_outcome, 'code', p_code,
          'tries', v_reread.tries, 'reasons', p_reasons
        )::text
      ]
    );
  end if;
  perform docket.end_rereadings(array[p_rereading_id], p_outcome, p_code, p_result_sha256);
end;
$$;
comment on function docket.end_reread_attempt(bigint, integer, text, text, text, text[], bytea, text) is
  'Ends a re-reading with the attempt at it; where nothing is superseded, the log is told so.';
