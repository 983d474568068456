-- Ends the leases of processes that are gone: their lock is free, or their deadline has passed. Then settles what they left. What was
-- down on a host that has had no worker for a minute is forgotten.
-- Called by: every worker process about four times a second; one at a time does it, the others return at once.
create or replace function docket.reap()
returns table (lease_id uuid, job_id uuid, task text, outcome text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_pool_ids text[];
begin
  -- lock
  perform from docket.duties d where d.duty = 'reap' for update skip locked;
  if not found then
    return;
  end if;

  -- check: a session can always take a lock it holds itself, so it never judges its own lease by the lock
  with gone as (
    update docket.leases l
    set closed_at = clock_timestamp(), close_reason = 'lost'
    where l.closed_at is null
      and (
        l.deadline < clock_timestamp()
        or (l.backend_pid <> pg_backend_pid() and pg_try_advisory_xact_lock(docket.lease_lock_class(), l.lock_key))
      )
    returning l.pool_ids
  )
  select array_agg(p.pool_id) into v_pool_ids from gone g cross join lateral unnest(g.pool_ids) as p (pool_id);

  -- record, enqueue
  return query select * from docket.settle_lost_attempts();
  perform docket.settle_lost_rereadings();
  if v_pool_ids is not null then
    perform docket_queue.release_pools(v_pool_ids);
  end if;
  if exists (select from docket.breakers) then
    perform docket.close_breaker(b.dependency, b.host, 'No worker is at work on the host any more.')
    from docket.breakers b
    where not exists (
      select from docket.leases l
      where l.host = b.host and coalesce(l.closed_at, 'infinity') > clock_timestamp() - interval '1 minute'
    );
  end if;
end;
$$;
comment on function docket.reap() is 'Ends leases of processes that are gone and settles their attempts.';
