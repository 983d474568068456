-- Takes back attempts at re-readings whose lease has ended or whose deadline has passed: another try elsewhere, or the end.
-- Called by: reap and close_lease. Not granted to anyone. Attempts under way are few, and found by an index of those alone.
create or replace function docket.settle_lost_rereadings()
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_lost bigint[];
  v_attempt record;
begin
  -- check
  v_lost := array(
    select a.rereading_id
    from docket.reread_attempts a
    where a.ended_at is null and (
      a.lease_id not in (select l.lease_id from docket.leases l where l.closed_at is null)
      or a.deadline < clock_timestamp() - interval '5 seconds'
    )
  );
  if v_lost = '{}' then
    return;
  end if;

  -- lock
  perform
  from docket.jobs j
  where j.job_id in (select r.job_id from docket.rereadings r where r.rereading_id = any (v_lost))
  order by j.job_id
  for no key update;
  perform from docket.rereadings r where r.rereading_id = any (v_lost) order by r.rereading_id for no key update;

  -- record, enqueue
  for v_attempt in
    select a.rereading_id, a.attempt,
      case when l.closed_at is null then 'the deadline passed' else 'the lease of the worker ended' end as message
    from docket.reread_attempts a
    join docket.leases l on l.lease_id = a.lease_id
    where a.rereading_id = any (v_lost) and a.ended_at is null
      and (l.closed_at is not null or a.deadline < clock_timestamp() - interval '5 seconds')
  loop
    perform docket.settle_failed_rereading(v_attempt.rereading_id, v_attempt.attempt, 'WORKER_LOST', v_attempt.message, 'lost');
  end loop;
end;
$$;
comment on function docket.settle_lost_rereadings() is
  'Takes back attempts at re-readings whose lease has ended or whose deadline has passed.';
