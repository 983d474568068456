-- A rule is for documents received after it was made. What is kept by one cannot be let go by another.
create or replace function docket.tg_retention_rules__never_reach_back()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'docket.retention_rules: a rule from % for "%" reaches back', NEW.since, NEW.document_kind
    using errcode = 'ZD037', hint = 'Call docket.set_retention: a rule is for documents received from then on.';
end;
$$;
comment on function docket.tg_retention_rules__never_reach_back() is 'Refuses rules for what was received already (ZD037).';

-- what is there from the start is no shorter than what goes without a rule
create or replace trigger _300_never_reach_back
  before insert on docket.retention_rules
  for each row
  when (
    new.since < clock_timestamp() - interval '1 second'
    and (new.since > '-infinity' or new.retention < interval '10 years')
  )
  execute function docket.tg_retention_rules__never_reach_back();
alter table docket.retention_rules enable always trigger _300_never_reach_back;
comment on trigger _300_never_reach_back on docket.retention_rules is 'A rule is for documents received after it was made.';
