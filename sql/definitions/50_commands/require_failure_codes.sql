-- Refuses failure codes that are not known, null included.
-- Called by: commands to which workers bring codes. Not granted to anyone. Errors: ZD022.
create or replace function docket.require_failure_codes(p_codes text[])
returns void
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_unknown text;
begin
  select n.code into v_unknown
  from unnest(p_codes) as n (code)
  where not exists (select from docket.failure_codes f where f.code = n.code)
  limit 1;
  if found then
    raise exception 'failure code "%" is not known', v_unknown
      using errcode = 'ZD022', hint = 'Use a row of docket.failure_codes.';
  end if;
end;
$$;
comment on function docket.require_failure_codes(text[]) is 'Refuses failure codes that are not known. Raises ZD022.';
