-- Tells listeners that something changed: one NOTIFY without content for any number of events, because each takes a lock of
-- the whole server. What was numbered may be committed a moment later, so it is told again for three seconds.
-- Called by: every worker process about four times a second. However many there are, one at a time announces, at most five
-- times a second; and where nothing changed nothing is written.
-- Effects: notification on docket_changes; docket.announcements. Returns whether listeners were told.
create or replace function docket.announce()
returns table (announced boolean)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_newest bigint;
begin
  -- check
  announced := false;
  select s.last_value into v_newest from docket_audit.events_event_id_seq s;
  if exists (
    select from docket.announcements a
    where a.channel = 'docket_changes'
      and (
        a.announced_at > v_now - interval '200 milliseconds'
        or a.last_event_id = v_newest and a.changed_at < v_now - interval '3 seconds'
      )
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
  insert into docket.announcements as a (channel, last_event_id, changed_at, announced_at)
  values ('docket_changes', v_newest, v_now, v_now)
  on conflict (channel) do update set
    last_event_id = excluded.last_event_id,
    changed_at = case when a.last_event_id = excluded.last_event_id then a.changed_at else excluded.changed_at end,
    announced_at = excluded.announced_at
  where a.announced_at < excluded.announced_at - interval '200 milliseconds';
  if found then
    perform pg_notify('docket_changes', '');
    announced := true;
  end if;
  return next;
end;
$$;
comment on function docket.announce() is
  'Notifies listeners on docket_changes, if events were recorded since or within three seconds of the last time.';
