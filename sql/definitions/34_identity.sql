-- Who acts, and for which sources: the only two places that answer it.
create or replace function docket.actor()
returns text
language sql
stable
parallel restricted
set search_path = pg_catalog, pg_temp
as $$
  select session_user::text
$$;
comment on function docket.actor() is 'Who acts: the login of the session. Never what a session says of itself.';

create or replace function docket.visible_sources()
returns setof text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select m.source_id from docket.source_members m where m.role_name = session_user
$$;
comment on function docket.visible_sources() is 'Sources that the login of the session is a member of.';
