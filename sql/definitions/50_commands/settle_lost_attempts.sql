-- Ends attempts whose lease has ended or whose deadline has passed: another try elsewhere, or quarantine as CRASH_LOOP.
-- WORKER_KILLED accuses the document: its worker is gone, recognised nothing else, and no other worker was lost lately, or since the
-- document was accused before. Where workers die anyway, a document is lost with them by chance.
-- Called by: reap and close_lease. Not granted to anyone.
create or replace function docket.settle_lost_attempts()
returns table (lease_id uuid, job_id uuid, task text, outcome text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_lost docket.failed_attempt[];
begin
  -- lock
  select array_agg(row(lost.job_id, lost.attempt, lost.task, lost.tries, lost.code, lost.message)::docket.failed_attempt)
  into v_lost
  from (
    select j.job_id, j.attempt, a.task, j.tries,
      case when l.closed_at is null then 'the deadline passed' else 'the lease of the worker ended' end as message,
      case
        when l.close_reason = 'lost' and a.task = 'ocr'
          and not exists (
            select from docket.attempts o
            where o.lease_id = a.lease_id and o.ended_at is null and o.task = 'ocr' and o.job_id <> a.job_id
          )
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
    from docket.attempts a
    join docket.leases l on l.lease_id = a.lease_id
    join docket.jobs j on j.job_id = a.job_id and j.attempt = a.attempt and j.token = a.token
    where a.ended_at is null
      and (l.closed_at is not null or a.deadline < clock_timestamp() - interval '5 seconds')
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
