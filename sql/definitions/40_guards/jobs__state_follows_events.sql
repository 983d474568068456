-- The state of a job is its last event. The deferred foreign key of docket.jobs stands behind this guard.
create or replace function docket.tg_jobs__state_follows_events()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_bad record;
begin
  -- The event must exist, and none may come after it. One index probe a job, whatever the planner knows of the tables.
  select j.job_id, j.state
  into v_bad
  from new_jobs j
  where not (
    select count(*) = 1 and bool_and(e.seq = j.seq and e.to_state = j.state and e.hash = j.head)
    from docket_audit.events e
    where e.job_id = j.job_id and e.seq between j.seq and j.seq + 1
  )
  limit 1;

  if found then
    raise exception 'state "%" of job % refused: it is not what its last event says', v_bad.state, v_bad.job_id
      using errcode = 'ZD003', hint = 'Call the command that records the event.';
  end if;
  return null;
end;
$$;
comment on function docket.tg_jobs__state_follows_events() is
  'Refuses a job whose state, sequence or head differs from its last event (ZD003).';

create or replace trigger _300_state_follows_events
  after update on docket.jobs
  referencing new table as new_jobs
  for each statement execute function docket.tg_jobs__state_follows_events();
alter table docket.jobs enable always trigger _300_state_follows_events;
comment on trigger _300_state_follows_events on docket.jobs is 'A state can only change by an event.';
