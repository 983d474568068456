-- Takes a login away from a source; what it delivered stays.
-- Called by: operators. Errors: ZD023 the login is not one of the source.
create or replace function docket.remove_source_login(
  p_source_id text,
  p_login name
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from docket.source_members m where m.source_id = p_source_id and m.role_name = p_login;
  if not found then
    raise exception 'login "%" is not one of source "%"', p_login, p_source_id
      using errcode = 'ZD023', hint = 'See docket.source_members.';
  end if;
end;
$$;
comment on function docket.remove_source_login(text, name) is 'Takes a login away from a source. Raises ZD023.';
