-- Enables or disables a webhook. To a disabled one nothing is sent; what is issued meanwhile waits, in order. Enabling one, also one
-- that is enabled, ends its rest: what waits is sent at once, whatever failed before.
-- Called by: operators. Effects: webhooks, webhook_messages. Errors: ZD049 there is no such webhook.
create or replace function docket.set_webhook_enabled(
  p_webhook_id integer,
  p_is_enabled boolean
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- lock, check
  perform from docket.webhooks w where w.webhook_id = p_webhook_id for no key update;
  if not found then
    raise exception 'webhook_id: there is no webhook %', coalesce(p_webhook_id::text, 'null')
      using errcode = 'ZD049', hint = 'See docket webhook list.';
  end if;

  -- record
  update docket.webhooks w
  set is_enabled = p_is_enabled,
    failures = case when p_is_enabled then 0 else w.failures end,
    resting_until = case when p_is_enabled then null else w.resting_until end
  where w.webhook_id = p_webhook_id;

  -- enqueue
  if p_is_enabled then
    update docket.webhook_messages m
    set due_at = clock_timestamp()
    where m.webhook_id = p_webhook_id and m.acknowledged_at is null and m.due_at > clock_timestamp() and not m.is_being_sent;
  end if;
end;
$$;
comment on function docket.set_webhook_enabled(integer, boolean) is
  'Enables or disables a webhook; enabling has what waits sent at once. Raises ZD049.';
