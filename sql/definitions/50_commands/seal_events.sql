-- Makes events the leaves of the Merkle log: those of all transactions that were recorded before any that is still running, about
-- p_limit at a time, whole transactions only. What commits later has a higher transaction number, and so a later place. Answers how
-- many there were and how large the tree is now; no row where there is nothing to do, or somebody else does it.
-- Called by: every worker process; one at a time does it. Effects: seals; tiles.
-- Errors: ZD052 the database was restored.
create or replace function docket.seal_events(p_limit integer)
returns table (
  events bigint,
  size bigint
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  -- first of all: every transaction before it has ended, and what it recorded is seen by all that follows
  v_horizon xid8 := pg_snapshot_xmin(pg_current_snapshot());
  v_head record;
  v_cut xid8;
begin
  -- check
  select * into strict v_head from docket.log_head();
  if v_head.needs_recovery then
    raise exception 'the database was restored: it numbers transactions otherwise than when its log was sealed'
      using errcode = 'ZD052', hint = 'Declare the recovery: docket recovery declare.';
  end if;
  if not exists (
    select from docket_audit.events e
    where e.xid >= v_head.xid_to and e.xid < v_horizon and e.event_id >= v_head.first_event_id
  ) then
    return;
  end if;

  -- lock: somebody else may have sealed since
  perform from docket.duties d where d.duty = 'seal' for update skip locked;
  if not found then
    return;
  end if;
  select * into strict v_head from docket.log_head();

  -- check: the first transaction beyond the limit; of one that is beyond it by itself, the next
  v_cut := (
    select e.xid
    from docket_audit.events e
    where e.xid >= v_head.xid_to and e.xid < v_horizon and e.event_id >= v_head.first_event_id
    order by e.xid, e.event_id
    offset p_limit
    limit 1
  );
  if not exists (
    select from docket_audit.events e
    where e.xid >= v_head.xid_to and e.xid < v_cut and e.event_id >= v_head.first_event_id
  ) then
    v_cut := (
      select min(e.xid)
      from docket_audit.events e
      where e.xid > v_cut and e.xid < v_horizon and e.event_id >= v_head.first_event_id
    );
  end if;

  -- record
  if docket.make_seal(coalesce(v_cut, v_horizon), null) > 0 then
    return query select s.events, s.size from docket_audit.seals s order by s.seal_no desc limit 1;
  end if;
end;
$$;
comment on function docket.seal_events(integer) is
  'Makes events the leaves of the Merkle log, whole transactions only; how many, and the size after it. Raises ZD052.';
