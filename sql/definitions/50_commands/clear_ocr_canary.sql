-- Ends the canary: all documents that are begun from now on are read by the active OCR configuration.
-- Called by: operators. Effects: see change_control. Errors: ZD021 · ZD091 a rollback is under way.
create or replace function docket.clear_ocr_canary(p_reason text)
returns table (change_id bigint, previous json, expires_at timestamptz)
language sql
security definer
set search_path = pg_catalog, pg_temp
as $$
  select c.change_id, c.old_value, c.expires_at
  from docket.change_control('ocr', 'canary', null, p_reason, null) as c;
$$;
comment on function docket.clear_ocr_canary(text) is
  'Ends the canary: the active OCR configuration reads all documents. Raises ZD021, ZD091.';
