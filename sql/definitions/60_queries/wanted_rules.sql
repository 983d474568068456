-- The rules of the sets that pages are redacted by, and which set is active.
-- Called by: workers, at regular times. A set never changes, so those that are known need not be fetched again.
create or replace function docket.wanted_rules(p_known integer[])
returns table (rule_set_id integer, name text, is_active boolean, rules json)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select s.rule_set_id, s.name, s.rule_set_id = docket.active_rule_set(),
    case when s.rule_set_id <> all (p_known) then (
      select json_agg(
        json_build_object(
          'rule', r.rule, 'reason', r.reason, 'documentKind', r.document_kind, 'pattern', r.pattern,
          'validator', r.validator, 'region', r.region
        )
        order by r.rule
      )
      from docket.redaction_rules r
      where r.rule_set_id = s.rule_set_id
    ) end
  from docket.rule_sets s
  where s.is_wanted
  order by s.rule_set_id
$$;
comment on function docket.wanted_rules(integer[]) is
  'Rule sets that pages are redacted by; with their rules, unless the caller knows them.';
