-- Enables or disables a source. A disabled source cannot deliver; what it delivered goes on. It is a change, which can be undone.
-- Called by: operators. Effects: see change_control. Errors: ZD023 there is no such source · ZD074 neither is stated.
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
  -- check
  if not exists (select from docket.sources s where s.source_id = p_source_id) then
    raise exception 'source_id: there is no source "%"', p_source_id
      using errcode = 'ZD023', hint = 'Add it first: docket.add_source.';
  end if;
  if p_is_enabled is null then
    raise exception 'is_enabled: it is null' using errcode = 'ZD074', hint = 'State true or false.';
  end if;

  -- record: nobody is asked for a reason
  perform docket.change_control(
    'source', 'source:' || p_source_id, to_json(p_is_enabled),
    case when p_is_enabled then 'Enabled, without a stated reason.' else 'Disabled, without a stated reason.' end, null
  );
end;
$$;
comment on function docket.set_source_enabled(text, boolean) is 'Enables or disables a source. Raises ZD023, ZD074.';
