-- Whatever writes an event, the step must be one of the state machine, must follow on the last event of its job, and must
-- carry the hash of its own bytes and, if any, a known code. The foreign key to the machine stands behind this guard; the guard says what was wrong.
create or replace function docket_audit.tg_events__step_is_legal()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_bad record;
begin
  -- A scalar subquery on purpose: it is one index probe an event, whatever the planner knows of the tables.
  select e.job_id, e.seq, e.from_state, e.event, e.to_state, checked.problem
  into v_bad
  from new_events e
  cross join lateral (
    select case
      when (e.from_state, e.event, e.to_state) not in (
        select t.from_state, t.event, t.to_state from docket.job_transitions t
      ) then 'it is not a step of the state machine'
      when (e.to_state = 'none') <> (e.job_id = '00000000-0000-0000-0000-000000000000')
        then 'events about the log itself, and only those, are of no document'
      when e.to_state <> 'none' and (e.seq = 1) <> (e.from_state = 'none') then 'the first event, and only that, starts from none'
      when not (
        select count(*) filter (where p.seq = e.seq) = 1
          and (e.seq = 1 or bool_or(p.seq < e.seq and p.hash = e.prev and p.to_state = e.from_state) is true)
        from docket_audit.events p
        where p.job_id = e.job_id and p.seq between e.seq - 1 and e.seq
      ) then 'it does not follow on the last event of the job'
      when e.code is not null and e.code not in (select c.code from docket.failure_codes c)
        then 'its failure code is not known'
      when e.hash <> docket_audit.event_hash(
        e.job_id, e.seq, e.from_state, e.event, e.to_state, e.at, e.actor, e.reason, e.code, e.attempt, e.detail, e.prev
      ) then 'its hash is not that of its bytes'
    end as problem
  ) as checked
  where checked.problem is not null
  limit 1;

  if found then
    raise exception 'event "%" (% to %) of job % refused: %',
      v_bad.event, v_bad.from_state, v_bad.to_state, v_bad.job_id, v_bad.problem
      using errcode = 'ZD002', hint = 'Legal steps are the rows of docket.job_transitions.';
  end if;
  return null;
end;
$$;
comment on function docket_audit.tg_events__step_is_legal() is
  'Refuses events that are no legal next step of their job or whose hash is not theirs (ZD002).';

create or replace trigger _300_step_is_legal
  after insert on docket_audit.events
  referencing new table as new_events
  for each statement execute function docket_audit.tg_events__step_is_legal();
alter table docket_audit.events enable always trigger _300_step_is_legal;
comment on trigger _300_step_is_legal on docket_audit.events is 'Only legal steps can be recorded.';
