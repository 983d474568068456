-- The built-in redaction rules. A name, once released, always means the same rules: rules that change get a new name, which is
-- staged beside the old one at the upgrade; the first one of an installation is active at once. Errors: ZD060 they changed.
do $seed$
declare
  v_name constant text := 'docket-1';
  v_rule_set_id integer;
  v_is_new boolean := false;
  v_rule record;
  v_rules integer := 0;
begin
  select s.rule_set_id into v_rule_set_id from docket.rule_sets s where s.name = v_name;
  if not found then
    v_is_new := true;
    insert into docket.rule_sets (name, meaning, recall, staged_by)
    values (v_name, 'Personal data on logistics papers in European and American layouts.', '{}', session_user)
    returning rule_set_id into v_rule_set_id;
  end if;

  for v_rule in
    select *
    from (values
      (
        'email', 'email', null, $re$(?<value>[\p{L}\d._%+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+)$re$, null, null::real[],
        'E-mail addresses.'
      ),
      (
        'phone_international', 'phone', null, $re$(?<value>\+\d{1,3}[ \d()/.-]{6,18}\d)$re$, 'phone', null,
        'Telephone numbers with a country code.'
      )
    ) as r (rule, reason, document_kind, pattern, validator, region, meaning)
  loop
    v_rules := v_rules + 1;
    if v_is_new then
      insert into docket.redaction_rules (rule_set_id, rule, reason, document_kind, pattern, validator, region, meaning)
      values (
        v_rule_set_id, v_rule.rule, v_rule.reason, v_rule.document_kind, v_rule.pattern, v_rule.validator, v_rule.region,
        v_rule.meaning
      );
    else
      perform from docket.redaction_rules r
      where r.rule_set_id = v_rule_set_id and r.rule = v_rule.rule
        and (r.reason, r.document_kind, r.pattern, r.validator, r.region)
          is not distinct from (v_rule.reason, v_rule.document_kind, v_rule.pattern, v_rule.validator, v_rule.region);
      if not found then
        raise exception 'rule "%" of the redaction rules "%" is not as it was', v_rule.rule, v_name
          using errcode = 'ZD060', hint = 'Give changed rules a new name.';
      end if;
    end if;
  end loop;
  if v_rules <> (select count(*) from docket.redaction_rules r where r.rule_set_id = v_rule_set_id) then
    raise exception 'the redaction rules "%" are not as many as they were', v_name
      using errcode = 'ZD060', hint = 'Give changed rules a new name.';
  end if;

  if v_is_new then
    insert into docket.redaction_todo (rule_set_id, job_id)
    select v_rule_set_id, j.job_id from docket.jobs j where j.state = 'published';
    insert into docket.rule_set_activations (rule_set_id, is_emergency, reason, activated_by)
    select v_rule_set_id, false, 'The first rules of this installation.', session_user
    where not exists (select from docket.rule_set_activations);
  end if;
end;
$seed$;
