-- What to read by under an OCR configuration. Rows of ocr_versions never change, so a worker may keep the answer.
-- Called by: workers. Errors: ZD082 there is no such OCR configuration.
create or replace function docket.ocr_setup(p_version integer)
returns table (ocr_version integer, engine text, parameters json, pins json)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
  select v.ocr_version, v.engine, v.parameters, v.pins from docket.ocr_versions v where v.ocr_version = p_version;
  if not found then
    raise exception 'version: there is no OCR configuration %', coalesce(p_version::text, 'null')
      using errcode = 'ZD082', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD082');
  end if;
end;
$$;
comment on function docket.ocr_setup(integer) is 'What to read by under an OCR configuration. Raises ZD082.';
