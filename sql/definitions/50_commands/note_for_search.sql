-- Notes documents whose rows in the search index are to be made, made again or removed.
-- Called by: the commands that publish, redact, or let a further source see a document. Not granted to anyone.
-- Effects: rows of search_todo; nobody waits for anybody. index_pages does the work.
create or replace function docket.note_for_search(
  p_jobs uuid[],
  p_rule_set_id integer default null
)
returns void
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into docket.search_todo (scope, job_id)
  select s.scope, n.job_id
  from unnest(p_jobs) with ordinality as n (job_id, place)
  cross join (
    select p_rule_set_id as scope where p_rule_set_id is not null
    union all
    select h.scope from docket.search_scopes h where p_rule_set_id is null
  ) as s
  order by n.place, s.scope
$$;
comment on function docket.note_for_search(uuid[], integer) is
  'Notes documents for the search index: of a rule set, 0 for the full text, null for all that the index holds.';
