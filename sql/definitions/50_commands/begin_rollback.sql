-- Begins a rollback: of the canary, where there is one, to the active OCR configuration; else of the active one to the last known good
-- one. The duty does the rest, step by step: see advance_rollback.
-- Called by: start_rollback, trigger_rollback. Not granted to anyone. Effects: rollbacks; event p_event in the chain of the log.
-- Errors: ZD005 · ZD091 one is under way · ZD092 there is none to go back to.
create or replace function docket.begin_rollback(
  p_event text,
  p_reason text,
  p_drain interval,
  p_alert_id bigint default null
)
returns docket.rollbacks
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_choice docket.ocr_choice;
  v_from integer;
  v_to integer;
  v_rollback docket.rollbacks;
begin
  -- lock: no step is under way, and nothing is activated meanwhile
  perform from docket.duties d where d.duty = 'rollback' for update;
  perform from docket.duties d where d.duty = 'expire' for update;
  select c.* into v_choice from docket.ocr_choice c for update;

  -- check
  if exists (select from docket.rollbacks r where r.ended_at is null) then
    raise exception 'a rollback of the OCR configuration is under way'
      using errcode = 'ZD091', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD091');
  end if;
  v_from := coalesce(nullif(v_choice.canary_version, v_choice.active_version), v_choice.active_version);
  v_to := case when v_from = v_choice.active_version then v_choice.known_good_version else v_choice.active_version end;
  if v_from = v_to or exists (select from docket.ocr_withdrawals w where w.ocr_version = v_to) then
    raise exception 'OCR configuration % is active, and %', v_from,
        case
          when v_from = v_to then 'is the last known good one itself'
          else format('the last known good one, %s, was rolled back', v_to)
        end
      using errcode = 'ZD092', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD092');
  end if;

  -- record
  insert into docket.rollbacks (from_version, to_version, reason, ordered_by, alert_id, drain_until)
  values (v_from, v_to, p_reason, docket.actor(), p_alert_id, clock_timestamp() + p_drain)
  returning * into v_rollback;
  perform docket.record_log_event(
    p_event,
    p_reason,
    json_build_object(
      'rollback', v_rollback.rollback_id, 'from', v_from, 'to', v_to, 'is_canary', v_from = v_choice.canary_version is true,
      'drain_until', docket.iso_time(v_rollback.drain_until), 'alert', p_alert_id
    )
  );
  return v_rollback;
end;
$$;
comment on function docket.begin_rollback(text, text, interval, bigint) is
  'Begins a rollback of the OCR configuration. Raises ZD005, ZD091, ZD092.';
