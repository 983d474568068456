-- Whether the log is what it was: events, chains and heads, seals and the Merkle tree, recomputed; checkpoints, the state machine and
-- the guards. Says nothing of a log that was rewritten as a whole: that takes a copy of a checkpoint from outside (verify_checkpoint).
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
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return query select * from docket.check_events(null);
  return query select * from docket.check_epochs();
  return query select * from docket.check_seals();
  return query
  select t.checked, t.checked_count, t.failed_count, t.bad[1][1], t.bad[1][2], t.bad[1][3]
  from (
    select c.checked, sum(c.checked_count)::bigint as checked_count, sum(c.failed_count)::bigint as failed_count,
      array_agg(array[c.first_offender, c.expected, c.found] order by c.place) filter (where c.failed_count > 0) as bad,
      min(c.place) as place
    from docket.check_tree() with ordinality as c (checked, checked_count, failed_count, first_offender, expected, found, place)
    group by c.checked
  ) as t
  order by t.place;
  return query select * from docket.check_checkpoints();
  return query select * from docket.check_machine();
  return query select * from docket.check_ocr_versions();
  return query select * from docket.check_guards();
end;
$$;
comment on function docket.verify_log() is
  'Recomputes the log: what was checked, how many, how many failed, the first offender, what it must be and what it is.';
