-- Makes a rule set the one by which analysts see pages. The one before it is retired; it stays citable, with its pages.
-- Called by: evidence owners. In an emergency it is active at once: what it has not redacted yet is withheld until it is.
-- Errors: ZD021 the reason is missing · ZD062 pages are still to be redacted by it · ZD063 there is no such set
--   · ZD064 the isolation level.
create or replace function docket.activate_rule_set(
  p_rule_set_id integer,
  p_reason text,
  p_is_emergency boolean default false
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_wanted boolean;
  v_todo bigint;
begin
  -- lock: one activation at a time, and no publication in between
  lock table docket.redaction_todo in share row exclusive mode;

  -- check
  -- an older snapshot would not show what was published while this waited for the lock
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'redaction rules are staged and activated at the isolation level read committed, not %',
      current_setting('transaction_isolation')
      using errcode = 'ZD064', hint = 'Begin the transaction without another isolation level.';
  end if;
  if btrim(coalesce(p_reason, '')) = '' then
    raise exception 'reason: an activation needs a reason' using errcode = 'ZD021', hint = 'Say why, in words.';
  end if;
  select s.is_wanted into v_is_wanted from docket.rule_sets s where s.rule_set_id = p_rule_set_id;
  if not found then
    raise exception 'rule_set_id: there is no rule set %', p_rule_set_id
      using errcode = 'ZD063', hint = 'See docket_api.rule_sets.';
  end if;
  if p_is_emergency then
    perform docket.want_rule_set(p_rule_set_id);
  elsif not v_is_wanted then
    raise exception 'rule_set_id: rule set % is retired', p_rule_set_id
      using errcode = 'ZD062', hint = 'Stage it again, under its name and with its rules; then wait until all pages are redacted by it.';
  else
    select count(*) into v_todo
    from (select from docket.redaction_todo t where t.rule_set_id = p_rule_set_id limit 10000) as t;
    if v_todo > 0 then
      raise exception 'rule_set_id: % documents are still to be redacted by rule set %',
        case when v_todo = 10000 then 'more than 9999' else v_todo::text end, p_rule_set_id
        using errcode = 'ZD062', hint = 'Wait, or activate it as an emergency: then their pages are withheld until they are redacted.';
    end if;
  end if;

  -- record
  update docket.rule_sets s
  set is_wanted = false
  where s.rule_set_id = docket.active_rule_set() and s.rule_set_id <> p_rule_set_id;
  delete from docket.redaction_todo t
  using docket.rule_sets s
  where s.rule_set_id = t.rule_set_id and not s.is_wanted;
  insert into docket.rule_set_activations (rule_set_id, is_emergency, reason, activated_by)
  select p_rule_set_id, coalesce(p_is_emergency, false), p_reason, docket.actor()
  where docket.active_rule_set() is distinct from p_rule_set_id;
end;
$$;
comment on function docket.activate_rule_set(integer, text, boolean) is
  'Makes a rule set the active one: once all pages are redacted by it, or, in an emergency, at once. Raises ZD021, ZD062, ZD063, ZD064.';
