-- A hold is placed open and lifted once, by an event in the log that says the same. None is removed.
create or replace function docket.tg_legal_holds__follow_events()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if TG_OP = 'INSERT' then
    if NEW.lifted_at is null then
      return NEW;
    end if;
  elsif TG_OP = 'UPDATE' then
    if OLD.lifted_at is null
      and (NEW.legal_hold_id, NEW.job_id, NEW.matter, NEW.reason, NEW.placed_at, NEW.placed_by)
        is not distinct from (OLD.legal_hold_id, OLD.job_id, OLD.matter, OLD.reason, OLD.placed_at, OLD.placed_by)
      and exists (
        select
        from docket_audit.events e
        where e.job_id = NEW.job_id and e.actor = NEW.lifted_by and e.event = 'hold_lifted'
          and e.detail::json ->> 'hold' = NEW.legal_hold_id::text
      )
    then
      return NEW;
    end if;
  end if;
  raise exception 'docket.legal_holds: % refused: a hold is lifted once, with its event, and never removed', lower(TG_OP)
    using errcode = 'ZD001', hint = 'Call docket.lift_hold.';
end;
$$;
comment on function docket.tg_legal_holds__follow_events() is
  'Refuses to lift a hold without its event, and every other change (ZD001).';

create or replace trigger _200_follow_events
  before insert or update or delete on docket.legal_holds
  for each row execute function docket.tg_legal_holds__follow_events();
create or replace trigger _200_never_truncated
  before truncate on docket.legal_holds
  for each statement execute function docket.tg_legal_holds__follow_events();
alter table docket.legal_holds enable always trigger _200_follow_events;
alter table docket.legal_holds enable always trigger _200_never_truncated;
comment on trigger _200_follow_events on docket.legal_holds is 'A hold is lifted once, with its event.';
comment on trigger _200_never_truncated on docket.legal_holds is 'The table is never truncated.';
