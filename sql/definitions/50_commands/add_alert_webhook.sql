-- Adds an address to which is sent what becomes of alerts from now on. Adding what is there changes nothing.
-- Called by: operators. Effects: webhooks. Returns the number of the webhook, one of those of receipts: docket.set_webhook_enabled takes it.
-- Errors: ZD048 the address is not one to send alerts to.
create or replace function docket.add_alert_webhook(p_url text)
returns table (webhook_id integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- record
  return query select docket.write_webhook(null, p_url);
end;
$$;
comment on function docket.add_alert_webhook(text) is
  'Adds an address to which is sent what becomes of alerts from now on. Raises ZD048.';
