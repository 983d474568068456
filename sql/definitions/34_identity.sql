-- Who acts, and for which sources: the only place that answers it.
-- A login is believed by its name. The gateway alone acts for others: it states whom in docket.claims, which it sets for each
-- transaction from a verified token: {"sub": text, "role": text, "sources": [text…]}. Anybody may set that variable; nobody else
-- is asked for it.

-- Without rights and a path of its own, so that it is inlined: every policy asks it.
create or replace function docket.is_gateway()
returns boolean
language sql
stable
parallel restricted
as $$
  select session_user operator(pg_catalog.=) 'docket_gateway'::pg_catalog.name
$$;
comment on function docket.is_gateway() is 'Whether the session is one of the GraphQL server.';

create or replace function docket.claims()
returns json
language sql
stable
parallel restricted
security definer
set search_path = pg_catalog, pg_temp
as $$
  select case when docket.is_gateway() then nullif(current_setting('docket.claims', true), '')::json end
$$;
comment on function docket.claims() is 'Claims of the token that the gateway acts for; null for everybody else.';

create or replace function docket.actor()
returns text
language plpgsql
stable
parallel restricted
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_subject text := docket.claims() ->> 'sub';
begin
  if not docket.is_gateway() then
    return session_user;
  end if;
  if btrim(coalesce(v_subject, '')) = '' then
    raise exception 'the gateway acts for nobody: docket.claims names no subject'
      using errcode = 'ZD006', hint = 'Set docket.claims in the transaction, from a verified token.';
  end if;
  return 'token:' || v_subject;
end;
$$;
comment on function docket.actor() is
  'Who acts: the login of the session, never what a session says of itself; for the gateway the subject of the token. Raises ZD006.';

create or replace function docket.acts_as(p_role name)
returns boolean
language sql
stable
parallel restricted
security definer
set search_path = pg_catalog, pg_temp
as $$
  select case
    -- the variable "role" is what was last set, also in a function that runs as its owner
    when docket.is_gateway() then coalesce(
      (select pg_has_role(r.oid, p_role, 'member') from pg_roles r where r.rolname = current_setting('role')), false)
    else pg_has_role(session_user, p_role, 'member')
  end
$$;
comment on function docket.acts_as(name) is
  'Whether who acts is of a role: the login of the session; for the gateway the role that it set for the token.';

create or replace function docket.is_staff()
returns boolean
language sql
stable
parallel restricted
security definer
set search_path = pg_catalog, pg_temp
as $$
  select docket.acts_as('docket_operator') or docket.acts_as('docket_evidence_owner') or docket.acts_as('docket_auditor')
$$;
comment on function docket.is_staff() is 'Whether who acts is an operator, an evidence owner or an auditor.';

-- This function and the next are asked several times by every query, and written to be quick.
create or replace function docket.sees_all_sources()
returns boolean
language plpgsql
stable
parallel restricted
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if docket.is_gateway() then
    return coalesce(nullif(current_setting('docket.claims', true), '')::jsonb -> 'sources' @> '["*"]', false);
  end if;
  return docket.is_staff();
end;
$$;
comment on function docket.sees_all_sources() is
  'Whether no source is hidden: from staff with a login of their own, and from tokens for "*".';

create or replace function docket.visible_sources()
returns setof text
language plpgsql
stable
parallel restricted
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if docket.sees_all_sources() then
    return query select s.source_id from docket.sources s;
  elsif docket.is_gateway() then
    return query
    select s.source_id
    from json_array_elements_text(nullif(current_setting('docket.claims', true), '')::json -> 'sources') as c (source_id)
    cross join lateral (select s.source_id from docket.sources s where s.source_id = c.source_id limit 1) as s;
  else
    return query select m.source_id from docket.source_members m where m.role_name = session_user;
  end if;
end;
$$;
comment on function docket.visible_sources() is
  'Sources that who acts may see: those of the token; all for staff; else those that the login is a member of.';

create or replace function docket.may_deliver(p_source_id text)
returns boolean
language plpgsql
stable
parallel restricted
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from docket.sources s where s.source_id = p_source_id and s.is_enabled) then
    return false;
  elsif docket.is_gateway() then
    return docket.acts_as('docket_app') and p_source_id in (select docket.visible_sources());
  end if;
  return exists (
    select from docket.source_members m
    where m.source_id = p_source_id and m.role_name = session_user and m.may_deliver
  );
end;
$$;
comment on function docket.may_deliver(text) is
  'Whether who acts may deliver for a source: a login that is a member of it, or a token of a sender that names it.';

create or replace function docket.require_may_deliver(p_source_id text)
returns void
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if docket.may_deliver(p_source_id) then
    return;
  elsif exists (
    select from docket.sources s
    where s.source_id = p_source_id and not s.is_enabled and s.source_id in (select docket.visible_sources())
  ) then
    raise exception 'source_id: "%" is disabled', p_source_id
      using errcode = 'ZD017', hint = 'Ask an operator to enable it.';
  end if;
  raise exception 'source_id: "%" is not a source that % may deliver for', p_source_id, docket.actor()
    using errcode = 'ZD010', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD010');
end;
$$;
comment on function docket.require_may_deliver(text) is 'Raises ZD010 or ZD017 unless who acts may deliver for the source.';
