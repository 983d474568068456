-- Opens the lease of a worker process. The session that calls must stay open: it holds an advisory lock that proves life,
-- taken before the row can be seen, so that nobody can take a living worker for dead. Its key is drawn, because any login
-- may take advisory locks: one that could be foreseen could be taken first.
-- Version and clock of the host are what the worker says; a worker of before says neither.
-- Called by: the worker at its start, on a connection of its own.
create or replace function docket.open_lease(
  p_host text,
  p_pid integer,
  p_pools text[],
  p_version text default null,
  p_host_at timestamptz default null
)
returns table (lease_id uuid, lock_key integer, deadline timestamptz)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_key integer;
begin
  -- lock
  loop
    v_key := hashtext(gen_random_uuid()::text);
    continue when exists (select from docket.leases l where l.lock_key = v_key);
    exit when pg_try_advisory_lock(docket.lease_lock_class(), v_key);
  end loop;

  -- record
  return query
  insert into docket.leases (lock_key, backend_pid, host, pid, pools, version, host_at, deadline)
  values (
    v_key, pg_backend_pid(), p_host, p_pid, p_pools, left(p_version, 100), p_host_at, clock_timestamp() + interval '10 seconds'
  )
  returning leases.lease_id, leases.lock_key, leases.deadline;
end;
$$;
comment on function docket.open_lease(text, integer, text[], text, timestamptz) is
  'Opens a lease of ten seconds; its lock lives as long as the calling session.';
