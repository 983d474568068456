-- The rule set that is active: the one that was activated last.
-- Called by: views and policies that decide what analysts see. Cheap: one step in the index of the primary key.
create or replace function docket.active_rule_set()
returns integer
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select a.rule_set_id from docket.rule_set_activations a order by a.activation_id desc limit 1
$$;
comment on function docket.active_rule_set() is 'Number of the redaction rule set that is active.';
