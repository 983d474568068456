-- Deliveries name their source without a foreign key (its check would lock the row), so a source is never removed or renamed.
create or replace function docket.tg_sources__are_kept()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'docket.sources: % refused: sources are never removed or renamed', lower(TG_OP)
    using errcode = 'ZD001', hint = 'Disable the source: docket.set_source_enabled.';
end;
$$;
comment on function docket.tg_sources__are_kept() is 'Refuses the removal or renaming of a source (ZD001).';

create or replace trigger _200_are_kept
  before delete on docket.sources
  for each row execute function docket.tg_sources__are_kept();
create or replace trigger _200_keep_their_name
  before update on docket.sources
  for each row when (old.source_id <> new.source_id)
  execute function docket.tg_sources__are_kept();
create or replace trigger _200_never_truncated
  before truncate on docket.sources
  for each statement execute function docket.tg_sources__are_kept();
alter table docket.sources enable always trigger _200_are_kept;
alter table docket.sources enable always trigger _200_keep_their_name;
alter table docket.sources enable always trigger _200_never_truncated;
comment on trigger _200_are_kept on docket.sources is 'Sources are never removed.';
comment on trigger _200_keep_their_name on docket.sources is 'Sources are never renamed.';
comment on trigger _200_never_truncated on docket.sources is 'Sources are never removed.';
