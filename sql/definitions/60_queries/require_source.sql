-- Raises unless there is a source of the name.
-- Called by: commands of operators that are about a source. Not granted to anyone. Errors: ZD023.
create or replace function docket.require_source(p_source_id text)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from docket.sources s where s.source_id = p_source_id) then
    raise exception 'source_id: there is no source "%"', left(coalesce(p_source_id, 'null'), 200)
      using errcode = 'ZD023', hint = 'Add it first: docket.add_source.';
  end if;
end;
$$;
comment on function docket.require_source(text) is 'Raises ZD023 unless there is a source of the name.';
