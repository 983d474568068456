-- Has what became of alerts sent to the webhooks of alerts, those that are not enabled included: what is not sent waits. Whoever numbers the
-- messages of a webhook holds it until the end, so that no later one is seen before an earlier one.
-- Called by: watch, as the last thing that it writes. Not granted to anyone. Effects: webhook_messages.
create or replace function docket.order_alert_messages(p_changes bigint[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- lock
  if p_changes = '{}' then
    return;
  end if;
  perform from docket.webhooks w where w.source_id is null order by w.webhook_id for no key update;
  if not found then
    return;
  end if;

  -- record
  insert into docket.webhook_messages (webhook_id, alert_change_id, alert_id)
  select w.webhook_id, c.alert_change_id, c.alert_id
  from docket.alert_changes c
  cross join docket.webhooks w
  where c.alert_change_id = any (p_changes) and w.source_id is null
  order by c.alert_change_id, w.webhook_id
  on conflict do nothing;
end;
$$;
comment on function docket.order_alert_messages(bigint[]) is 'Has what became of alerts sent to the webhooks of alerts.';
