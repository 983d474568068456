-- How sealing stands: the newest seal, what is recorded and not sealed, and why, where it takes too long. An event is sealed once every
-- transaction has ended that was begun before it and writes, in whatever database of the cluster; the oldest of them is named then, with
-- the command that ends it. Where nothing is in the way, nobody seals.
-- The age of a foreign session is not shown to everybody: without the right it is at least that of the oldest event which waits for it.
-- Called by: workers, operators, auditors. Effects: none.
create or replace function docket.seal_status()
returns table (
  sealed_at timestamptz,
  size bigint,
  unsealed_events bigint,
  oldest_unsealed_at timestamptz,
  unsealed_for interval,
  code text,
  blocker text,
  blocker_age interval,
  remedy text
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_horizon xid8 := pg_snapshot_xmin(pg_current_snapshot());
  v_head record;
  v_oldest record;
begin
  select * into strict v_head from docket.log_head();
  select e.xid, e.at
  into v_oldest
  from docket_audit.events e
  where e.xid >= v_head.xid_to and e.event_id >= v_head.first_event_id
  order by e.xid, e.event_id
  limit 1;
  sealed_at := v_head.sealed_at;
  size := v_head.size;
  unsealed_events := (
    select count(*) from docket_audit.events e where e.xid >= v_head.xid_to and e.event_id >= v_head.first_event_id
  );
  oldest_unsealed_at := v_oldest.at;
  unsealed_for := v_now - v_oldest.at;
  if v_head.needs_recovery then
    code := 'RECOVERY_NEEDED';
    remedy := 'docket recovery declare';
  elsif unsealed_for > interval '5 seconds' then
    code := 'SEAL_STALLED';
    select b.blocker, coalesce(b.age, unsealed_for), b.remedy
    into blocker, blocker_age, remedy
    from (
      select format('prepared transaction "%s" in database "%s"', p.gid, p.database) as blocker, v_now - p.prepared as age,
        format('rollback prepared %L', p.gid) as remedy
      from pg_prepared_xacts p
      where p.transaction = v_horizon::xid
      union all
      select format('process %s in database "%s"', a.pid, a.datname), v_now - a.xact_start,
        format('select pg_terminate_backend(%s)', a.pid)
      from pg_locks l
      join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'transactionid' and l.transactionid = v_horizon::xid and l.mode = 'ExclusiveLock' and l.granted
    ) as b
    where v_horizon <= v_oldest.xid;
    remedy := coalesce(remedy, 'docket worker');
  end if;
  return next;
end;
$$;
comment on function docket.seal_status() is
  'How sealing stands, what is not sealed yet, and what stalls it: the session or prepared transaction, and the command that ends it.';
