-- What hardening could not be achieved here, with the consequence. Read from the catalog, so it is true at any time.
create or replace function docket.hardening_gaps()
returns table (step text, consequence text)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select 'nobody may create temporary tables: revoke temporary on database from public',
    'a login with SQL access can create temporary objects; Docket itself never resolves names through them'
  where has_database_privilege('docket_app', current_database(), 'temporary')
  union all
  select format('nobody may write functions in %s: revoke usage on language from public', l.lanname),
    'a login that may create objects in some schema can write functions, such as leaky ones for probing views'
  from pg_language l
  where l.lanname in ('sql', 'plpgsql') and has_language_privilege('docket_app', l.oid, 'usage')
  union all
  select 'nobody may create large objects: revoke execute on the lo_ functions from public',
    'a login with SQL access can fill the disk with large objects that no table shows'
  where has_function_privilege('docket_app', 'pg_catalog.lo_create(oid)', 'execute')
  union all
  select 'nobody may take advisory locks: revoke execute on the pg_advisory_ functions from public',
    'a login can fill the lock table, so that nobody can connect until it is ended; watch pg_locks'
  where has_function_privilege('docket_app', 'pg_catalog.pg_advisory_lock(bigint)', 'execute')
  union all
  select g.name || ' is ' || g.wanted, g.consequence from docket.guard_states() as g where not g.is_so
  union all
  select 'nobody may create in schema public: revoke create on schema public from public',
    'a login can create objects in schema public; Docket itself never resolves names through it'
  from pg_namespace n
  where n.nspname = 'public' and has_schema_privilege('docket_app', n.oid, 'create')
  union all
  select format('"%s" can become docket_owner', r.rolname),
    'whoever uses this login can change the tables of Docket; only a copy of the log outside the database shows it'
  from pg_roles r
  where r.rolname not like 'pg\_%' and r.rolname <> 'docket_owner'
    and (r.rolsuper or pg_has_role(r.oid, 'docket_owner', 'member'))
  order by 1
$$;
comment on function docket.hardening_gaps() is
  'Hardening steps that are not in force in this database, each with its consequence.';
