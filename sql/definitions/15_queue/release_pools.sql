-- Unlocks queue rows held by pools that are gone, and wakes an idle runner for them.
-- Called by: reap and reconcile, as docket_owner. Reads private tables of graphile-worker: look here first after an upgrade.
set local role docket_door;

create or replace function docket_queue.release_pools(p_pool_ids text[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform graphile_worker.force_unlock_workers(p_pool_ids);
  perform pg_notify('jobs:insert', json_build_object('r', gen_random_uuid(), 'count', 1)::text);
end;
$$;
comment on function docket_queue.release_pools(text[]) is 'Unlocks every queue row that the named runner pools hold.';
