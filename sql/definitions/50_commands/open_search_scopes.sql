-- Begins to index what a rule set redacted, when it is wanted and the index does not hold it.
-- Called by: index_pages, under its lock. Not granted to anyone.
create or replace function docket.open_search_scopes()
returns void
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  with opened as (
    insert into docket.search_scopes (scope)
    select u.scope from docket.used_search_scopes() u
    on conflict do nothing
    returning scope
  )
  insert into docket.search_todo (scope, job_id)
  select o.scope, r.job_id
  from opened o
  join docket.redactions r on r.rule_set_id = o.scope
  order by r.redacted_at, r.job_id;
end;
$$;
comment on function docket.open_search_scopes() is 'Begins to index what wanted rule sets redacted.';
