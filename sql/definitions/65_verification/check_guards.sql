-- That what keeps the record from being changed is in force: guards, row-level security, and the foreign keys behind the guards.
-- That their code is what it was, only a comparison with the package shows (docket verify).
-- Called by: verify_log. Not granted to anyone.
create or replace function docket.check_guards()
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
  return query
  select 'guards', count(*), count(*) filter (where not g.is_so),
    (min(array[g.name, g.wanted]) filter (where not g.is_so))[1],
    (min(array[g.name, g.wanted]) filter (where not g.is_so))[2],
    'not ' || (min(array[g.name, g.wanted]) filter (where not g.is_so))[2]
  from docket.guard_states() as g;
end;
$$;
comment on function docket.check_guards() is 'Whether the guards of the tables, row-level security and foreign keys are in force.';
