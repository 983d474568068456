-- Whether the record is intact: everything that the database can check of itself, in one call.
-- For auditors; works on a read-only standby.
create or replace function docket.verify_all()
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
  return query select * from docket.verify_log();
  return query select * from docket.verify_results();
end;
$$;
comment on function docket.verify_all() is
  'Checks the log, results, evidence and guards: what was checked, how many, how many failed, the first offender, expected, found.';
