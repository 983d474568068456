-- Notes every published document for the search index again, as after a change of what a word is. What is there stays usable
-- until it is replaced.
-- Called by: operators. Returns how many documents are to be indexed, counted once for each scope.
create or replace function docket.rebuild_search()
returns table (noted_count bigint)
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  with noted as (
    insert into docket.search_todo (scope, job_id)
    select 0, j.job_id from docket.jobs j where j.state = 'published' and not docket.is_disposed(j.job_id)
    union all
    select r.rule_set_id, r.job_id
    from docket.redactions r
    join docket.search_scopes h on h.scope = r.rule_set_id
    returning 1
  )
  select count(*) from noted
$$;
comment on function docket.rebuild_search() is 'Notes every published document for the search index again.';
