-- Ends re-readings, closes the attempts at them that are still open, and ends the trials of which none is left.
-- Called by: order_rereadings, erase_documents, record_rereadings and what it is made of. Not granted to anyone.
-- Effects: rereadings, reread_attempts, ocr_trials. What has ended already is left as it is.
create or replace function docket.end_rereadings(
  p_rereadings bigint[],
  p_outcome text,
  p_code text default null,
  p_result_sha256 bytea default null
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_trials integer[];
begin
  -- lock
  perform from docket.rereadings r where r.rereading_id = any (p_rereadings) order by r.rereading_id for no key update;

  -- record
  update docket.reread_attempts a
  set ended_at = clock_timestamp(), outcome = 'lost', message = 'what it was for had ended: ' || p_outcome
  where a.rereading_id = any (p_rereadings) and a.ended_at is null;
  with ended as (
    update docket.rereadings r
    set ended_at = clock_timestamp(), due_at = null, outcome = p_outcome, code = p_code, result_sha256 = p_result_sha256
    where r.rereading_id = any (p_rereadings) and r.ended_at is null
    returning r.trial_id
  )
  select array_agg(distinct e.trial_id) into v_trials from ended e where e.trial_id is not null;
  if v_trials is not null then
    -- one after the other, so that whoever ends the last one sees the others
    perform from docket.ocr_trials t where t.trial_id = any (v_trials) order by t.trial_id for no key update;
    update docket.ocr_trials t
    set ended_at = clock_timestamp()
    where t.trial_id = any (v_trials) and t.ended_at is null
      and not exists (select from docket.rereadings r where r.trial_id = t.trial_id and r.ended_at is null);
  end if;
end;
$$;
comment on function docket.end_rereadings(bigint[], text, text, bytea) is
  'Ends re-readings, the attempts at them, and the trials of which none is left.';
