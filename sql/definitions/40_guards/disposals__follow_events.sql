-- A request for disposal is opened undecided and decided once, by an event in the log that says the same. None is removed.
-- That a later delivery brought the scan back is said once too, after that event.
create or replace function docket.tg_disposals__follow_events()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if TG_OP = 'INSERT' then
    if NEW.decision is null then
      return NEW;
    end if;
  elsif TG_OP = 'UPDATE' then
    if OLD.decision is null and NEW.outlived_at is null
      and (NEW.disposal_id, NEW.job_id, NEW.reason, NEW.requested_at, NEW.requested_by)
        is not distinct from (OLD.disposal_id, OLD.job_id, OLD.reason, OLD.requested_at, OLD.requested_by)
      and exists (
        select
        from docket_audit.events e
        where e.job_id = NEW.job_id and e.actor = NEW.decided_by
          and e.event = case NEW.decision when 'approved' then 'disposed' else 'disposal_withdrawn' end
          and e.detail::json ->> 'disposal' = NEW.disposal_id::text
      )
    then
      return NEW;
    end if;
    if OLD.outlived_at is null and NEW.outlived_at is not null
      and to_jsonb(NEW) - 'outlived_at' = to_jsonb(OLD) - 'outlived_at'
      and exists (
        select
        from docket_audit.events e
        join docket_audit.events r on r.job_id = e.job_id and r.seq > e.seq and r.event = 'redelivered'
        where e.job_id = NEW.job_id and e.event = 'disposed' and e.detail::json ->> 'disposal' = NEW.disposal_id::text
      )
    then
      return NEW;
    end if;
  end if;
  raise exception 'docket.disposals: % refused: a request is decided once, with its event, and never removed', lower(TG_OP)
    using errcode = 'ZD001', hint = 'Call docket.approve_disposal or docket.withdraw_disposal.';
end;
$$;
comment on function docket.tg_disposals__follow_events() is
  'Refuses decisions that the log does not hold, and every other change (ZD001).';

create or replace trigger _200_follow_events
  before insert or update or delete on docket.disposals
  for each row execute function docket.tg_disposals__follow_events();
create or replace trigger _200_never_truncated
  before truncate on docket.disposals
  for each statement execute function docket.tg_disposals__follow_events();
alter table docket.disposals enable always trigger _200_follow_events;
alter table docket.disposals enable always trigger _200_never_truncated;
comment on trigger _200_follow_events on docket.disposals is 'A request is decided once, with its event.';
comment on trigger _200_never_truncated on docket.disposals is 'The table is never truncated.';
