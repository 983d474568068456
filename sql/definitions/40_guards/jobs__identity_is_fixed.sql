-- What a job is about never changes, and a job is never removed.
create or replace function docket.tg_jobs__identity_is_fixed()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'docket.jobs: % refused: what a job is about is fixed, and jobs are never removed', lower(TG_OP)
    using errcode = 'ZD001', hint = 'Record a new fact instead.';
end;
$$;
comment on function docket.tg_jobs__identity_is_fixed() is 'Refuses a change of what a job is about, and its removal (ZD001).';

create or replace trigger _200_identity_is_fixed
  before update on docket.jobs
  for each row
  when (
    old.job_id <> new.job_id
    or old.sha256 <> new.sha256
    or old.delivery_id <> new.delivery_id
    or old.source_id <> new.source_id
    or old.accepted_at <> new.accepted_at
    or new.seq < old.seq
  )
  execute function docket.tg_jobs__identity_is_fixed();
create or replace trigger _200_never_removed
  before delete on docket.jobs
  for each row execute function docket.tg_jobs__identity_is_fixed();
create or replace trigger _200_never_truncated
  before truncate on docket.jobs
  for each statement execute function docket.tg_jobs__identity_is_fixed();
alter table docket.jobs enable always trigger _200_identity_is_fixed;
alter table docket.jobs enable always trigger _200_never_removed;
alter table docket.jobs enable always trigger _200_never_truncated;
comment on trigger _200_identity_is_fixed on docket.jobs is 'What a job is about never changes.';
comment on trigger _200_never_removed on docket.jobs is 'Jobs are never removed.';
comment on trigger _200_never_truncated on docket.jobs is 'Jobs are never removed.';
