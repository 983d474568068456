-- A new job starts at its first event. That this event exists is left to the foreign key, which is checked at commit.
create or replace function docket.tg_jobs__starts_accepted()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'state "%" of new job % refused: a job starts as accepted', NEW.state, NEW.job_id
    using errcode = 'ZD003', hint = 'Call the command that records the event.';
end;
$$;
comment on function docket.tg_jobs__starts_accepted() is 'Refuses a new job that is past its first event (ZD003).';

create or replace trigger _300_starts_accepted
  before insert on docket.jobs
  for each row
  when (new.state <> 'accepted' or new.seq <> 1)
  execute function docket.tg_jobs__starts_accepted();
alter table docket.jobs enable always trigger _300_starts_accepted;
comment on trigger _300_starts_accepted on docket.jobs is 'A new job starts at its first event.';
