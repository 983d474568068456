-- Whether what stands beside the log is what its events say: the text of results, evidence, who sees a document, amendments, what was
-- found of signatures, and what was disposed of.
-- For auditors; works on a read-only standby.
create or replace function docket.verify_results()
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
  select * from docket.check_results(null)
$$;
comment on function docket.verify_results() is
  'Recomputes the hashes of stored results; compares published results, evidence and who sees a document with their events and deliveries.';
