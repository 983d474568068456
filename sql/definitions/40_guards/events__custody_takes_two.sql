-- The law of custody, whatever writes the event: an event of custody bears the name of whoever acts, who is of the role for it; a
-- hold is lifted by another person than placed it; a document is disposed of once, when somebody else has asked for it, no hold is
-- open and its retention is over; and after that only facts follow, until bytes that nobody had seen are delivered again. What was
-- asked, placed and lifted is read from the log itself. So nobody destroys evidence alone, and the owner of the tables leaves the
-- names of two persons like everybody else.
create or replace function docket_audit.tg_events__custody_takes_two()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_bad record;
begin
  select e.job_id, e.event, e.actor, checked.problem, asked.actor as asked_by
  into v_bad
  from new_events e
  left join lateral (
    select p.event, p.actor
    from docket_audit.events p
    where p.job_id = e.job_id and p.seq < e.seq
      and p.event in ('disposal_requested', 'retention_ended', 'disposal_withdrawn', 'disposed')
    order by p.seq desc
    limit 1
  ) as asked on true
  cross join lateral (
    select coalesce(asked.event in ('disposal_requested', 'retention_ended'), false) as is_asked
  ) as request
  cross join lateral (
    select case
      when docket.is_disposed_by_log(e.job_id, e.seq)
        and (e.event <> 'redelivered' or exists (select from docket.evidence v where v.job_id = e.job_id)) then 'ZD030'
      when e.event in ('released', 'redelivered', 'redriven') then null
      when e.actor <> docket.actor() or not docket.acts_as(
        (select t.actor_role from docket.job_transitions t where t.from_state = e.from_state and t.event = e.event)
      ) then 'ZD005'
      when e.event = 'hold_lifted' then (
        select case
          when count(*) = 0 then 'ZD036'
          when bool_or(docket.person_of(p.placed_by) = docket.person_of(e.actor)) then 'ZD033'
        end
        from docket.open_holds(e.job_id, e.seq) p
        where p.legal_hold_id = e.detail::json ->> 'hold'
      )
      when e.event in ('disposal_withdrawn', 'disposed') and not request.is_asked then 'ZD034'
      when e.event in ('disposal_requested', 'retention_ended') and request.is_asked then 'ZD035'
      when e.event not in ('disposal_requested', 'retention_ended', 'disposed') then null
      when exists (select from docket.open_holds(e.job_id, e.seq)) then 'ZD032'
      when docket.retain_until(e.job_id) > clock_timestamp() then 'ZD031'
      when e.event = 'disposed' and docket.person_of(asked.actor) = docket.person_of(e.actor) then 'ZD033'
    end as problem
  ) as checked
  where e.event in (
      'released', 'redelivered', 'redriven', 'hold_placed', 'hold_lifted', 'retention_extended', 'metadata_amended', 'retention_ended',
      'disposal_requested', 'disposal_withdrawn', 'disposed', 'text_read', 'original_read'
    )
    and checked.problem is not null
  limit 1;

  if found then
    raise exception 'event "%" of document % refused: %', v_bad.event, v_bad.job_id,
      case v_bad.problem
        when 'ZD005' then format('"%s" may not record it for "%s"', docket.actor(), v_bad.actor)
        when 'ZD030' then 'the document was disposed of'
        when 'ZD031' then format('it has to be kept until %s', docket.retain_until(v_bad.job_id))
        when 'ZD032' then 'the document is on legal hold'
        when 'ZD033' then format('"%s" did the first half', v_bad.actor)
        when 'ZD034' then 'nobody has asked for the disposal'
        when 'ZD035' then format('"%s" has asked for the disposal already', v_bad.asked_by)
        else 'there is no such hold'
      end
      using errcode = v_bad.problem,
            hint = (select c.remedy from docket.error_codes c where c.sqlstate = v_bad.problem);
  end if;
  return null;
end;
$$;
comment on function docket_audit.tg_events__custody_takes_two() is
  'Refuses events of custody that one person may not record alone, or not yet, or not any more (ZD005, ZD030 to ZD036).';

-- after the guard of the state machine, which says first whether there is such a step at all
create or replace trigger _310_custody_takes_two
  after insert on docket_audit.events
  referencing new table as new_events
  for each statement execute function docket_audit.tg_events__custody_takes_two();
alter table docket_audit.events enable always trigger _310_custody_takes_two;
comment on trigger _310_custody_takes_two on docket_audit.events is 'Nobody disposes of evidence alone, or early.';
