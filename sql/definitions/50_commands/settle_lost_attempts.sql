-- Ends attempts whose lease has ended or whose deadline has passed: another try elsewhere, or quarantine as CRASH_LOOP.
-- WORKER_KILLED accuses the document: its worker is gone, recognised nothing else, read nothing again, and no other worker was lost lately, or since the
-- document was accused before. Where workers die anyway, a document is lost with them by chance.
-- Attempts under way are found by the documents under way, at most as many as are admitted, each with a probe. No bitmap: a plain scan
-- of the index marks its dead entries, so that the next one passes over them.
-- Called by: reap and close_lease. Not granted to anyone.
create or replace function docket.settle_lost_attempts()
returns table (lease_id uuid, job_id uuid, task text, outcome text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  v_jobs uuid[];
  v_attempts integer[];
  v_are_left boolean[];
  v_lost docket.failed_attempt[];
begin
  -- check
  select array_agg(o.job_id), array_agg(o.attempt), array_agg(o.is_left)
  into v_jobs, v_attempts, v_are_left
  from (
    select a.job_id, a.attempt, a.deadline,
      a.lease_id not in (select l.lease_id from docket.leases l where l.closed_at is null) as is_left
    from docket.jobs j
    cross join lateral (
      select o.job_id, o.attempt, o.lease_id, o.deadline
      from docket.attempts o
      where o.job_id = j.job_id and o.attempt = j.attempt and o.token = j.token and o.ended_at is null
      limit 1
    ) as a
    where j.next_task is not null and j.token is not null
    offset 0
  ) as o
  where o.is_left or o.deadline < clock_timestamp() - interval '5 seconds';
  if v_jobs is null then
    return;
  end if;

  -- lock: all that a lease left is among these, so that what was alone under it is seen
  with ended as materialized (
    select a.*, n.is_left, count(*) filter (where n.is_left and a.task = 'ocr') over (partition by a.lease_id) as left_in_ocr
    from unnest(v_jobs, v_attempts, v_are_left) as n (job_id, attempt, is_left)
    cross join lateral (
      select o.job_id, o.attempt, o.token, o.task, o.lease_id
      from docket.attempts o
      where o.job_id = n.job_id and o.attempt = n.attempt
      limit 1
    ) as a
  )
  select array_agg(row(lost.job_id, lost.attempt, lost.task, lost.tries, lost.code, lost.message)::docket.failed_attempt)
  into v_lost
  from (
    select j.job_id, j.attempt, a.task, j.tries,
      case when l.closed_at is null then 'the deadline passed' else 'the lease of the worker ended' end as message,
      case
        when l.close_reason = 'lost' and a.is_left and a.task = 'ocr' and a.left_in_ocr = 1
          and not exists (select from docket.reread_attempts r where r.lease_id = a.lease_id and r.ended_at is null)
          and not exists (
            select from docket.leases o
            where o.close_reason in ('lost', 'survived')
              and o.closed_at > least(
                clock_timestamp() - interval '1 minute',
                (select min(k.ended_at) from docket.attempts k where k.job_id = a.job_id and k.code = 'WORKER_KILLED')
              )
              and not exists (select from docket.attempts k where k.job_id = a.job_id and k.lease_id = o.lease_id)
          )
          then 'WORKER_KILLED'
        else 'WORKER_LOST'
      end as code
    from ended a
    join docket.leases l on l.lease_id = a.lease_id
    join docket.jobs j on j.job_id = a.job_id and j.attempt = a.attempt and j.token = a.token
    where j.job_id = any (v_jobs)
    order by j.job_id
    for no key update of j skip locked
  ) as lost;

  -- record, enqueue
  return query
  select a.lease_id, s.job_id, a.task, s.outcome
  from docket.settle_failures(v_lost, 'lost', '_lost') s
  join unnest(v_lost) as f on f.job_id = s.job_id
  join docket.attempts a on a.job_id = f.job_id and a.attempt = f.attempt;
end;
$$;
comment on function docket.settle_lost_attempts() is
  'Settles every open attempt whose lease has ended or whose deadline has passed.';
