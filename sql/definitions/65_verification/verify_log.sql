-- Whether the log is what it was: events, chains and heads, recomputed. Says nothing of a log that was rewritten as a whole: that
-- takes a copy of a checkpoint from outside (verify_checkpoint).
-- For auditors; works on a read-only standby.
create or replace function docket.verify_log()
returns table (
  checked text,
  checked_count bigint,
  failed_count bigint,
  first_offender text,
  expected text,
  found text
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select * from docket.check_events(null)
$$;
comment on function docket.verify_log() is
  'Recomputes the log: what was checked, how many, how many failed, the first offender, what it must be and what it is.';
