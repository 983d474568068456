-- How many deliveries there are: those that events tell of, and those that admission has not noticed yet.
-- Called by: docket status; operators, auditors, evidence owners. Effects: none.
create or replace function docket.delivery_count()
returns bigint
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  select coalesce((select sum(s.deliveries) from docket.recorded_steps() s), 0)::bigint + (
    select count(*)
    from docket.arrivals a
    where (select j.delivery_id from docket.jobs j where j.job_id = a.job_id) is distinct from a.delivery_id
  )
$$;
comment on function docket.delivery_count() is 'How many deliveries there are.';
