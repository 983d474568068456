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
#variable_conflict use_column
begin
  -- check
  perform docket.require_source(p_source_id);

  -- record
  insert into docket.webhooks (source_id, url, added_by)
  values (p_source_id, p_url, docket.actor())
  on conflict (source_id, url) do nothing;
  return query
  select w.webhook_id from docket.webhooks w where w.source_id = p_source_id and w.url = p_url;
exception
  when check_violation or not_null_violation then
    raise exception 'url: "%" is neither an https address nor an http address of this machine, without user, password and fragment',
      left(coalesce(p_url, 'null'), 200)
      using errcode = 'ZD048', hint = 'State an address such as https://receiver.example/docket, of at most 2000 characters.';
end;
$$;
comment on function docket.add_webhook(text, text) is
  'Adds an address to which the receipts of a source are sent that are issued from now on. Raises ZD023, ZD048.';
