-- The queue is only a hint. Jobs that are due without a row in it are woken again, and rows locked by unknown pools are freed.
-- Called by: every worker process about every two seconds; one at a time does it, the others return at once.
create or replace function docket.reconcile()
returns table (job_id uuid, task text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_jobs uuid[];
  v_tasks text[];
  v_due_at timestamptz[];
  v_pools text[];
begin
  -- lock
  perform from docket.duties d where d.duty = 'reconcile' for update skip locked;
  if not found then
    return;
  end if;

  -- check
  select array_agg(p.pool_id)
  into v_pools
  from docket_queue.locking_pools() p
  where coalesce(p.locked_since < clock_timestamp() - interval '3 seconds', true)
    and not exists (select from docket.leases l where l.closed_at is null and p.pool_id = any (l.pool_ids));

  select array_agg(j.job_id), array_agg(j.next_task), array_agg(j.due_at)
  into v_jobs, v_tasks, v_due_at
  from docket.jobs j
  where j.next_task is not null
    and j.token is null
    and j.state_at < clock_timestamp() - interval '2 seconds'
    and not exists (select from docket_queue.queued_jobs() q where q.job_id = j.job_id and q.task = j.next_task and q.run_at < greatest(j.due_at, clock_timestamp()) + interval '10 seconds');

  -- enqueue
  if v_pools is not null then
    perform docket_queue.release_pools(v_pools);
  end if;
  if v_jobs is not null then
    perform docket.wake_jobs(v_jobs, v_tasks, v_due_at);
  end if;
  return query select * from unnest(v_jobs, v_tasks);
end;
$$;
comment on function docket.reconcile() is 'Wakes due jobs that have no queue row, and frees rows locked by unknown pools.';
