-- That the state machine has the steps that it must have, and no others.
-- Called by: verify_log. Not granted to anyone.
create or replace function docket.check_machine()
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
  select 'state machine', count(*), count(*) filter (where c.is_bad),
    (min(array[c.step, c.expected, c.found]) filter (where c.is_bad))[1],
    (min(array[c.step, c.expected, c.found]) filter (where c.is_bad))[2],
    (min(array[c.step, c.expected, c.found]) filter (where c.is_bad))[3]
  from (
    select from_state || ' ' || event as step,
      e is distinct from t as is_bad,
      case when e.to_state is null then 'no such step' else e::text end as expected,
      case when t.to_state is null then 'no such step' else t::text end as found
    from docket.expected_steps() as e
    full join docket.job_transitions as t using (from_state, event)
  ) as c
$$;
comment on function docket.check_machine() is 'Whether the rows of docket.job_transitions are those of the state machine.';
