-- Takes back attempts at re-readings whose lease has ended or whose deadline has passed: another try elsewhere, or the end.
-- Called by: reap and close_lease. Not granted to anyone. Attempts under way are few, and found by an index of those alone.
create or replace function docket.settle_lost_rereadings()
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_left bigint[];
  v_overrun bigint[];
begin
  -- check
  select array_agg(o.rereading_id) filter (where o.is_left), array_agg(o.rereading_id) filter (where not o.is_left)
  into v_left, v_overrun
  from (
    select a.rereading_id, a.deadline,
      a.lease_id not in (select l.lease_id from docket.leases l where l.closed_at is null) as is_left
    from docket.reread_attempts a
    where a.ended_at is null
  ) as o
  where o.is_left or o.deadline < clock_timestamp() - interval '5 seconds';

  -- lock, record, enqueue
  if v_left is not null then
    perform docket.take_back_rereadings(v_left, 'WORKER_LOST', 'the lease of the worker ended');
  end if;
  if v_overrun is not null then
    perform docket.take_back_rereadings(v_overrun, 'WORKER_LOST', 'the deadline passed');
  end if;
end;
$$;
comment on function docket.settle_lost_rereadings() is
  'Takes back attempts at re-readings whose lease has ended or whose deadline has passed.';
