-- What the caller may search: the full text (0), or what the active rule set left of it.
-- Called by: search_pages and what shows its hits. Not granted to anyone.
create or replace function docket.search_scope()
returns integer
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select case
    when docket.acts_as('docket_evidence_owner') or docket.acts_as('docket_auditor') then 0
    else docket.active_rule_set()
  end
$$;
comment on function docket.search_scope() is
  'Scope of whoever acts: 0, the full text, for evidence owners and auditors; else the active rule set.';
