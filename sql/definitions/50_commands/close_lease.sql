-- Closes a lease in good order: what is still open under it is given back at once.
-- Called by: the worker when it stops.
create or replace function docket.close_lease(p_lease uuid)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_pool_ids text[];
begin
  update docket.leases l
  set closed_at = clock_timestamp(), close_reason = 'closed'
  where l.lease_id = p_lease and l.closed_at is null
  returning l.pool_ids into v_pool_ids;
  if found then
    perform docket.settle_lost_attempts();
    perform docket_queue.release_pools(v_pool_ids);
  end if;
end;
$$;
comment on function docket.close_lease(uuid) is 'Closes a lease and gives back what was open under it.';
