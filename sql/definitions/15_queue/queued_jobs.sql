-- Which jobs have a row in the queue that will still run. The queue is bounded by the admission window, so it is read whole.
-- What waits for reserved slots stands there under a name of its own, but is the task ocr like the others.
-- A row that names no job, whoever put it there, must not keep the others from being read.
-- Called by: reconcile, as docket_owner. Reads private tables of graphile-worker: look here first after an upgrade.
set local role docket_door;

create or replace function docket_queue.queued_jobs()
returns table (job_id uuid, task text, run_at timestamptz)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = on -- as locking_pools
set enable_indexscan = off
set enable_bitmapscan = off
as $$
  select (q.payload ->> 'job_id')::uuid,
    case t.identifier when 'ocr_reserved' then 'ocr' else t.identifier end,
    q.run_at
  from graphile_worker._private_jobs q
  join graphile_worker._private_tasks t on t.id = q.task_id
  -- What is locked by nobody is given out to nobody. A runner deals with what it locked, or gives it back, within seconds; if the answer
  -- to its fetch was lost with a connection, it does neither for as long as it lives.
  where (q.attempts < q.max_attempts and q.locked_at is null or q.locked_by is not null and q.locked_at > now() - interval '15 seconds')
    and case when json_typeof(q.payload) = 'object' then pg_input_is_valid(q.payload ->> 'job_id', 'uuid') end;
$$;
comment on function docket_queue.queued_jobs() is 'Jobs that have a queue row which is running or will run, with its task and time.';
