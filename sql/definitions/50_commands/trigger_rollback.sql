-- Begins a rollback of the OCR configuration because of an alert, where the operator allowed that: the alert is open and crossed a
-- rollback threshold after the last activation, and within the time for which that was allowed. At most one follows an activation:
-- what was restored is not doubted by machine. Answers its number; null where none begins.
-- Called by: watch, in the transaction in which the alert becomes so. Not granted to anyone. Effects: rollbacks; event
-- rollback_triggered in the chain of the log.
create or replace function docket.trigger_rollback(p_alert_id bigint)
returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_alert docket.alerts;
  v_rollback docket.rollbacks;
begin
  -- check
  select a.*
  into v_alert
  from docket.alerts a
  cross join docket.ocr_choice c
  where a.alert_id = p_alert_id and a.closed_at is null and a.severity = 'rollback'
    and a.changed_at >= c.activated_at and clock_timestamp() <= c.activated_at + c.automatic_within
    and not exists (select from docket.rollbacks r where coalesce(r.ended_at, 'infinity') >= c.activated_at);
  if not found then
    return null;
  end if;

  -- lock, record
  begin
    v_rollback := docket.begin_rollback(
      'rollback_triggered', format('Alert %s, %s: %s', p_alert_id, v_alert.subject, left(v_alert.fact, 800)), '2 minutes', p_alert_id
    );
  exception
    when sqlstate 'ZD091' or sqlstate 'ZD092' then
      return null;
  end;
  return v_rollback.rollback_id;
end;
$$;
comment on function docket.trigger_rollback(bigint) is
  'Begins a rollback of the OCR configuration because of an alert, where that was allowed. Its number, or null.';
