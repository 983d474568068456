-- A name of redaction rules, once used, always means the same: only whether pages are still redacted by it may change.
create or replace function docket.tg_rule_sets__are_kept()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'docket.rule_sets: % refused: rule sets are never changed or removed', lower(TG_OP)
    using errcode = 'ZD001', hint = 'Stage other rules under a new name: docket.stage_rule_set.';
end;
$$;
comment on function docket.tg_rule_sets__are_kept() is 'Refuses the removal or change of a rule set (ZD001).';

create or replace trigger _200_are_kept
  before delete on docket.rule_sets
  for each row execute function docket.tg_rule_sets__are_kept();
create or replace trigger _200_keep_their_meaning
  before update on docket.rule_sets
  for each row
  when (
    (old.rule_set_id, old.name, old.meaning, old.recall::text, old.staged_at, old.staged_by)
      is distinct from (new.rule_set_id, new.name, new.meaning, new.recall::text, new.staged_at, new.staged_by)
  )
  execute function docket.tg_rule_sets__are_kept();
create or replace trigger _200_never_truncated
  before truncate on docket.rule_sets
  for each statement execute function docket.tg_rule_sets__are_kept();
alter table docket.rule_sets enable always trigger _200_are_kept;
alter table docket.rule_sets enable always trigger _200_keep_their_meaning;
alter table docket.rule_sets enable always trigger _200_never_truncated;
comment on trigger _200_are_kept on docket.rule_sets is 'Rule sets are never removed.';
comment on trigger _200_keep_their_meaning on docket.rule_sets is 'A name always means the same rules.';
comment on trigger _200_never_truncated on docket.rule_sets is 'Rule sets are never removed.';
