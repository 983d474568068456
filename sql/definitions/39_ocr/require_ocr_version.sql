-- Refuses an OCR configuration that there is not, or that was rolled back.
-- Called by: what chooses one, or orders readings by one. Not granted to anyone.
-- Errors: ZD082 there is no such OCR configuration · ZD084 it was rolled back.
create or replace function docket.require_ocr_version(p_version integer)
returns void
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawn docket.ocr_withdrawals;
begin
  if not exists (select from docket.ocr_versions v where v.ocr_version = p_version) then
    raise exception 'version: there is no OCR configuration %', coalesce(p_version::text, 'null')
      using errcode = 'ZD082', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD082');
  end if;
  select w.* into v_withdrawn from docket.ocr_withdrawals w where w.ocr_version = p_version;
  if found then
    raise exception 'version: OCR configuration % was rolled back at %: %',
      p_version, docket.iso_time(v_withdrawn.withdrawn_at), v_withdrawn.reason
      using errcode = 'ZD084', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD084');
  end if;
end;
$$;
comment on function docket.require_ocr_version(integer) is
  'Refuses an OCR configuration that there is not, or that was rolled back. Raises ZD082, ZD084.';
