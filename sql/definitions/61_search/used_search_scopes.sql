-- The scopes that the index must hold: the full text, the active rule set, and those that are to follow it.
-- Called by: what fills the index. Not granted to anyone.
create or replace function docket.used_search_scopes()
returns table (scope integer)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select 0
  union
  select r.rule_set_id from docket.rule_sets r where r.is_wanted
  union
  select docket.active_rule_set() where docket.active_rule_set() is not null
$$;
comment on function docket.used_search_scopes() is 'The full text and the rule sets that are in use.';
