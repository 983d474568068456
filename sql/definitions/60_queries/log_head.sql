-- Where the log stands: its newest epoch, and the tree as the newest seal left it. One row.
-- The database was restored where its cluster is not the one that the epoch began in, or where transactions are numbered from earlier
-- than what is sealed. A standby does not know yet which transactions have ended, and cannot tell by that.
-- Called by: the sealer, and whatever reads the tree. Not granted to anyone.
create or replace function docket.log_head()
returns table (
  epoch integer,
  first_event_id bigint,
  seal_no bigint,
  xid_to xid8,
  size bigint,
  peaks bytea,
  sealed_at timestamptz,
  needs_recovery boolean
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select e.epoch, e.first_event_id, coalesce(s.seal_no, 0), h.xid_to, coalesce(s.size, 0), coalesce(s.peaks, ''), s.sealed_at,
    e.system_identifier <> (select c.system_identifier from pg_control_system() c)
      or pg_snapshot_xmin(pg_current_snapshot()) < h.xid_to and not pg_is_in_recovery()
  from (select * from docket_audit.epochs order by epoch desc limit 1) as e
  left join (select * from docket_audit.seals order by seal_no desc limit 1) as s on true
  cross join lateral (select case when s.epoch = e.epoch then s.xid_to else '0' end as xid_to) as h
$$;
comment on function docket.log_head() is
  'The newest epoch of the log, the tree after the newest seal, and whether the database was restored since.';
