-- The rules in a JSON array, as rows.
-- Called by: stage_rule_set, wrong_rules. Not granted to anyone.
create or replace function docket.rules_of(p_rules json)
returns table (rule text, reason text, document_kind text, pattern text, validator text, region real[], meaning text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select r.rule ->> 'rule', r.rule ->> 'reason', r.rule ->> 'document_kind', r.rule ->> 'pattern', r.rule ->> 'validator',
    case
      when json_typeof(r.rule -> 'region') = 'array'
        then array(select json_array_elements_text(r.rule -> 'region')::real)
    end,
    r.rule ->> 'meaning'
  from json_array_elements(p_rules) as r (rule)
$$;
comment on function docket.rules_of(json) is 'The redaction rules in a JSON array, as rows.';
