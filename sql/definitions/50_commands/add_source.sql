-- Adds a source, and the logins that may deliver for it. Adding what is there changes nothing, but that a reader may deliver
-- from now on.
-- Called by: operators. Errors: ZD024 no such sender login · ZD025 the name is malformed.
create or replace function docket.add_source(
  p_source_id text,
  p_login name default null,
  p_note text default null
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- check
  if p_source_id !~ '^[a-z0-9][a-z0-9._-]{0,62}$' then
    raise exception 'source_id: "%" is not a name of lower-case letters, digits, dot, dash and underscore', p_source_id
      using errcode = 'ZD025', hint = 'Choose a name such as carrier-a.';
  end if;
  if p_login is not null and not exists (
    select from pg_roles r
    where r.rolname = p_login and r.rolcanlogin and not r.rolsuper and pg_has_role(r.oid, 'docket_app', 'member')
  ) then
    raise exception 'login: "%" is not a login that is a member of docket_app', p_login
      using errcode = 'ZD024',
            hint = case
              when exists (select from pg_roles r where r.rolname = p_login)
                then format('Use a login of its own for a sender, or: grant docket_app to %I.', p_login)
              else format('Create it: create role %I login in role docket_app.', p_login)
            end;
  end if;

  -- record
  insert into docket.sources (source_id, note) values (p_source_id, coalesce(p_note, '')) on conflict (source_id) do nothing;
  if p_login is not null then
    insert into docket.source_members as m (source_id, role_name)
    values (p_source_id, p_login)
    on conflict (source_id, role_name) do update set may_deliver = true where not m.may_deliver;
  end if;
end;
$$;
comment on function docket.add_source(text, name, text) is
  'Adds a source and, if given, a login that may deliver for it. Raises ZD024, ZD025.';
