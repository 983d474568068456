-- Adds a version of the redaction rules. Pages are redacted by it in the background; analysts see them by it once it is active.
-- Staging the same rules under the same name again changes nothing, but that a retired set is wanted again.
-- Called by: evidence owners. p_rules: array of {rule, reason, meaning, document_kind, pattern, validator, region}.
-- Errors: ZD060 the name means other rules · ZD061 the rules are not of the documented shape.
create or replace function docket.stage_rule_set(
  p_name text,
  p_meaning text,
  p_rules json
)
returns table (rule_set_id integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_rule_set_id integer;
  v_wrong text;
begin
  -- check
  -- an older snapshot would not show what was published while this waited for the lock
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'redaction rules are staged and activated at the isolation level read committed, not %',
      current_setting('transaction_isolation')
      using errcode = 'ZD064', hint = 'Begin the transaction without another isolation level.';
  end if;
  if p_name !~ '^[a-z0-9][a-z0-9._-]{0,62}$' or btrim(coalesce(p_meaning, '')) = '' then
    raise exception 'name: "%" is not a name of lower-case letters, digits, dot, dash and underscore, or the meaning is missing', p_name
      using errcode = 'ZD061', hint = 'See docs/redaction.md.';
  end if;
  select w.wrong into v_wrong from docket.wrong_rules(p_rules) as w (wrong) limit 1;
  if found then
    raise exception 'rules: %', v_wrong using errcode = 'ZD061', hint = 'See docs/redaction.md.';
  end if;

  -- record
  insert into docket.rule_sets (name, meaning, staged_by)
  values (p_name, p_meaning, docket.actor())
  on conflict (name) do nothing
  returning rule_set_id into v_rule_set_id;
  if v_rule_set_id is not null then
    insert into docket.redaction_rules (rule_set_id, rule, reason, document_kind, pattern, validator, region, meaning)
    select v_rule_set_id, r.rule, r.reason, r.document_kind, r.pattern, r.validator, r.region, r.meaning
    from docket.rules_of(p_rules) r;
  else
    select s.rule_set_id into v_rule_set_id from docket.rule_sets s where s.name = p_name;
    if exists (
      select
      from docket.rules_of(p_rules) r
      full join (select k.* from docket.redaction_rules k where k.rule_set_id = v_rule_set_id) as k on k.rule = r.rule
      where (r.rule, r.reason, r.document_kind, r.pattern, r.validator, r.region)
        is distinct from (k.rule, k.reason, k.document_kind, k.pattern, k.validator, k.region)
    ) then
      raise exception 'name: "%" already means other rules', p_name
        using errcode = 'ZD060', hint = 'Give changed rules a new name.';
    end if;
  end if;

  -- enqueue
  perform docket.want_rule_set(v_rule_set_id);
  return query select v_rule_set_id;
end;
$$;
comment on function docket.stage_rule_set(text, text, json) is
  'Adds a version of the redaction rules and has all pages redacted by it; returns its number. Raises ZD060, ZD061, ZD064.';
