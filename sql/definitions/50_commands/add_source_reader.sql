-- Lets a login see the documents that a source may see, and never deliver for it. Adding one that is there changes nothing, a
-- sender of the source included: it may read already.
-- Called by: operators. Errors: ZD023 no such source · ZD024 no such login of an analyst.
create or replace function docket.add_source_reader(
  p_source_id text,
  p_login name
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- check
  perform docket.require_source(p_source_id);
  if not exists (
    select from pg_roles r
    where r.rolname = p_login and r.rolcanlogin and not r.rolsuper and pg_has_role(r.oid, 'docket_analyst', 'member')
  ) then
    raise exception 'login: "%" is not a login that is a member of docket_analyst', p_login
      using errcode = 'ZD024',
            hint = case
              when exists (select from pg_roles r where r.rolname = p_login)
                then format('Use a login of its own for a reader, or: grant docket_analyst to %I.', p_login)
              else format('Create it: create role %I login in role docket_analyst.', p_login)
            end;
  end if;

  -- record
  insert into docket.source_members (source_id, role_name, may_deliver)
  values (p_source_id, p_login, false)
  on conflict (source_id, role_name) do nothing;
end;
$$;
comment on function docket.add_source_reader(text, name) is
  'Lets a login see what a source may see, and never deliver for it. Raises ZD023, ZD024.';
