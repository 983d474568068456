-- Whether a living worker said that its store can lock objects.
-- Called by: record_verified, record_delivery_checks. Not granted to anyone.
create or replace function docket.store_locks_objects()
returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from docket.leases l where l.closed_at is null and l.locks_objects)
$$;
comment on function docket.store_locks_objects() is 'Whether a living worker said that its store can lock objects.';
