-- Puts wake-ups for jobs into the queue. One statement for any number of rows, because each statement costs a NOTIFY.
-- Called by: wake_jobs, as docket_owner.
set local role docket_door;

create or replace function docket_queue.enqueue(
  p_tasks text[],
  p_jobs uuid[],
  p_refs text[],
  p_run_at timestamptz[],
  p_priorities integer[]
)
returns bigint
language sql
security definer
set search_path = pg_catalog, pg_temp
as $$
  select count(*)
  from graphile_worker.add_jobs(
    (
      select array_agg(
        row(n.task, json_build_object('job_id', n.job_id, 'ref', n.ref), null, n.run_at, null, null, n.priority, null)
          ::graphile_worker.job_spec
      )
      from unnest(p_tasks, p_jobs, p_refs, p_run_at, p_priorities) as n (task, job_id, ref, run_at, priority)
    )
  );
$$;
comment on function docket_queue.enqueue(text[], uuid[], text[], timestamptz[], integer[]) is
  'Adds one queue row for each task, job and reference; a null time means now, low priorities go first. Returns how many.';
