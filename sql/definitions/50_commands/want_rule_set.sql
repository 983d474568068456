-- Has every published document, and every one published from now on, redacted by a rule set.
-- Called by: stage_rule_set, activate_rule_set. Not granted to anyone.
-- Waits for publications under way and keeps back others meanwhile: each sees the set, or is seen here.
create or replace function docket.want_rule_set(p_rule_set_id integer)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  lock table docket.redaction_todo in share row exclusive mode;
  update docket.rule_sets s set is_wanted = true where s.rule_set_id = p_rule_set_id and not s.is_wanted;
  insert into docket.redaction_todo (rule_set_id, job_id)
  select p_rule_set_id, j.job_id
  from docket.jobs j
  where j.state = 'published'
    and not docket.is_disposed(j.job_id)
    and not exists (
      select from docket.redactions r
      where r.job_id = j.job_id and r.rule_set_id = p_rule_set_id and r.attempt = j.result_attempt
    )
  on conflict do nothing;
end;
$$;
comment on function docket.want_rule_set(integer) is 'Lists every published document that the rule set has not redacted yet.';
