-- Adds an address to which the receipts of a source are sent that are issued from now on. Adding what is there changes nothing.
-- Called by: operators. Effects: webhooks. Returns the number of the webhook.
-- Errors: ZD023 no such source · ZD048 the address is not one to send receipts to.
create or replace function docket.add_webhook(
  p_source_id text,
  p_url text
)
returns table (webhook_id integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- check
  perform docket.require_source(p_source_id);

  -- record
  return query select docket.write_webhook(p_source_id, p_url);
end;
$$;
comment on function docket.add_webhook(text, text) is
  'Adds an address to which the receipts of a source are sent that are issued from now on. Raises ZD023, ZD048.';
