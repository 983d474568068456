-- Says that the object store of a worker keeps objects from being deleted until a date. From then on, and while such a worker
-- lives, what is verified is protected there too.
-- Called by: the worker at its start. Effects: leases.
create or replace function docket.declare_object_lock(p_lease_id uuid)
returns void
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  update docket.leases l set locks_objects = true where l.lease_id = p_lease_id and l.closed_at is null
$$;
comment on function docket.declare_object_lock(uuid) is 'Says that the store of a worker can lock objects.';
