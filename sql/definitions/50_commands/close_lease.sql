-- Closes a lease in good order: what is still open under it is given back at once.
-- Called by: the worker when it stops; and when it lost its lease, but lives, before it opens another: what it worked on is not accused.
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
  set closed_at = clock_timestamp(),
    close_reason = case
      when l.backend_pid <> pg_backend_pid() and pg_try_advisory_xact_lock(docket.lease_lock_class(), l.lock_key) then 'survived'
      else 'closed'
    end
  where l.lease_id = p_lease and l.closed_at is null
  returning l.pool_ids into v_pool_ids;
  if found then
    perform docket.settle_lost_attempts();
    perform docket.settle_lost_rereadings();
    perform docket_queue.release_pools(v_pool_ids);
  end if;
end;
$$;
comment on function docket.close_lease(uuid) is 'Closes a lease and gives back what was open under it.';
