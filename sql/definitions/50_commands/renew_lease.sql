-- Renews a lease. False means that it was declared lost: the process must stop all work at once.
-- Called by: the worker, about every two seconds, on the session that opened it.
create or replace function docket.renew_lease(p_lease uuid, p_host_at timestamptz default null)
returns table (renewed boolean)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update docket.leases l
  set renewed_at = clock_timestamp(), host_at = p_host_at, deadline = clock_timestamp() + interval '10 seconds'
  where l.lease_id = p_lease and l.closed_at is null;
  renewed := found;
  return next;
end;
$$;
comment on function docket.renew_lease(uuid, timestamptz) is 'Renews a lease for ten seconds; false when it has ended.';
