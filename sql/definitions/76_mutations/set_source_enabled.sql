-- Enables or disables a source that the caller sees: it reads with the rights of the caller.
-- Called by: operators. Errors: ZD023 there is no such source, or they do not see it.
create or replace function docket_api.set_source_enabled(
  source_id text,
  is_enabled boolean
)
returns docket_api.sources
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_source docket_api.sources;
begin
  if not exists (select from docket_api.sources s where s.source_id = set_source_enabled.source_id) then
    raise exception 'source_id: there is no source "%"', source_id
      using errcode = 'ZD023', hint = 'Check its name.';
  end if;
  perform docket.set_source_enabled(source_id, is_enabled);
  select s.* into v_source from docket_api.sources s where s.source_id = set_source_enabled.source_id;
  return v_source;
end;
$$;
comment on function docket_api.set_source_enabled(text, boolean) is
  $$Enables or disables a source: a disabled one cannot deliver; what it delivered goes on. Raises ZD023.
@resultFieldName source$$;
