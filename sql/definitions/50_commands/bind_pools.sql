-- Says under which identifiers a worker process locks rows of the queue now; rows locked under one that it no longer names are freed
-- by reconcile.
-- Called by: the worker, whenever it starts a runner. Errors: ZD040 the lease has ended.
create or replace function docket.bind_pools(
  p_lease uuid,
  p_pool_ids text[]
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update docket.leases l
  set pool_ids = array(select distinct p from unnest(p_pool_ids) as u (p) order by p)
  where l.lease_id = p_lease and l.closed_at is null;
  if not found then
    raise exception 'lease % has ended', p_lease
      using errcode = 'ZD040', hint = 'Stop all work and open a new lease.';
  end if;
end;
$$;
comment on function docket.bind_pools(uuid, text[]) is 'Names the runner pools of a lease. Raises ZD040.';
