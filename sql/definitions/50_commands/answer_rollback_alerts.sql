-- Has a rollback begin for an alert that crossed its rollback threshold after an OCR configuration was activated, and within the time
-- for which that was allowed. What keeps it from beginning is told by the alert, which stays open.
-- Called by: watch. Not granted to anyone. Effects: see trigger_rollback.
create or replace function docket.answer_rollback_alerts()
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_alert bigint;
begin
  -- check
  select a.alert_id
  into v_alert
  from docket.ocr_choice c
  join docket.alerts a on a.closed_at is null and a.severity = 'rollback' and a.changed_at >= c.activated_at
  where clock_timestamp() between c.activated_at and c.activated_at + c.automatic_within
  order by a.alert_id
  limit 1;

  -- record
  if v_alert is not null then
    begin
      perform docket.trigger_rollback(v_alert);
    exception
      when others then
        update docket.alerts a set why = 'A rollback could not begin by itself: ' || left(sqlerrm, 500) where a.alert_id = v_alert;
    end;
  end if;
end;
$$;
comment on function docket.answer_rollback_alerts() is 'Has a rollback begin for an alert that crossed its rollback threshold, if that was allowed.';
