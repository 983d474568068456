-- Writes the address of a webhook, if it is not there yet; no source: it is for alerts. Returns its number.
-- Called by: add_webhook, add_alert_webhook. Not granted to anyone. Effects: webhooks. Errors: ZD048 the address is not one to send to.
create or replace function docket.write_webhook(
  p_source_id text,
  p_url text
)
returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into docket.webhooks (source_id, url, added_by)
  values (p_source_id, p_url, docket.actor())
  on conflict do nothing;
  return (select w.webhook_id from docket.webhooks w where w.source_id is not distinct from p_source_id and w.url = p_url);
exception
  when check_violation or not_null_violation then
    raise exception 'url: "%" is neither an https address nor an http address of this machine, without user, password and fragment',
      left(coalesce(p_url, 'null'), 200)
      using errcode = 'ZD048', hint = 'State an address such as https://receiver.example/docket, of at most 2000 characters.';
end;
$$;
comment on function docket.write_webhook(text, text) is 'Writes the address of a webhook, if it is not there yet. Raises ZD048.';
