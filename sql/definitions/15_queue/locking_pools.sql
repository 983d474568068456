-- Which runner pools hold locks in the queue, and since when at the earliest.
-- Called by: reconcile, as docket_owner. Reads private tables of graphile-worker: look here first after an upgrade.
set local role docket_door;

create or replace function docket_queue.locking_pools()
returns table (pool_id text, locked_since timestamptz)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
-- all of it is read, so in its order: an index holds many entries of messages that are done with, each of which would be looked up
set enable_seqscan = on
set enable_indexscan = off
set enable_bitmapscan = off
as $$
  select q.locked_by, min(q.locked_at)
  from graphile_worker._private_jobs q
  where q.locked_by is not null
  group by q.locked_by;
$$;
comment on function docket_queue.locking_pools() is 'Runner pools that hold queue rows locked, with the time of the oldest lock.';
