-- Enables or disables a source. A disabled source cannot deliver; what it delivered goes on.
-- Called by: operators. Errors: ZD023 there is no such source.
create or replace function docket.set_source_enabled(
  p_source_id text,
  p_is_enabled boolean
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update docket.sources s set is_enabled = p_is_enabled where s.source_id = p_source_id;
  if not found then
    raise exception 'source_id: there is no source "%"', p_source_id
      using errcode = 'ZD023', hint = 'Add it first: docket.add_source.';
  end if;
end;
$$;
comment on function docket.set_source_enabled(text, boolean) is 'Enables or disables a source. Raises ZD023.';
