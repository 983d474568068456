-- Tells listeners that something changed: one NOTIFY without content for any number of events, because each takes a lock of
-- the whole server. What was numbered may be committed a moment later, so it is told again for three seconds.
-- Called by: every worker process about four times a second; one at a time does it, and where nothing changed nothing is written.
-- Effects: notification on docket_changes; docket.announcements. Returns whether there was anything to tell.
create or replace function docket.announce()
returns table (announced boolean)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_newest bigint;
begin
  -- check
  announced := false;
  select s.last_value into v_newest from docket_audit.events_event_id_seq s;
  if exists (
    select from docket.announcements a
    where a.channel = 'docket_changes' and a.last_event_id = v_newest
      and a.changed_at < clock_timestamp() - interval '3 seconds'
  ) then
    return next;
    return;
  end if;

  -- lock
  perform from docket.duties d where d.duty = 'announce' for update skip locked;
  if not found then
    return next;
    return;
  end if;

  -- record
  insert into docket.announcements as a (channel, last_event_id, changed_at)
  values ('docket_changes', v_newest, clock_timestamp())
  on conflict (channel) do update set last_event_id = excluded.last_event_id, changed_at = excluded.changed_at
  where a.last_event_id <> excluded.last_event_id;
  perform pg_notify('docket_changes', '');
  announced := true;
  return next;
end;
$$;
comment on function docket.announce() is
  'Notifies listeners on docket_changes, if events were recorded since or within three seconds of the last time.';
