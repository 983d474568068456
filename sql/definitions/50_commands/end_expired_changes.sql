-- Undoes changes that were made for a time, once it is over and if they are still in force. Of several that were made one upon the other,
-- the newest goes first, and the one below it in a later round.
-- Called by: every worker process about every second; one at a time does it, the others return at once.
-- Effects: see change_control; event controls_restored.
create or replace function docket.end_expired_changes()
returns table (change_id bigint, control text, target text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_over record;
begin
  -- lock
  perform from docket.duties d where d.duty = 'expire' for update skip locked;
  if not found or not exists (
    select
    from docket.changes c
    where c.expires_at <= clock_timestamp() and not exists (select from docket.changes u where u.undoes = c.change_id)
  ) then
    return;
  end if;

  for v_over in
    -- check
    select c.*
    from docket.control_states s
    join docket.changes c on c.change_id = s.change_id
    where s.expires_at <= clock_timestamp()
    order by c.change_id
  loop
    -- record: an OCR configuration is not restored while a rollback is under way, and not at all once it was rolled back itself
    begin
      return query
      select c.change_id, c.control, c.target
      from docket.change_control(
        v_over.control, v_over.target, v_over.old_value, 'Its time is over: ' || left(v_over.reason, 900), null, v_over.change_id,
        'controls_restored'
      ) as c;
    exception
      when sqlstate 'ZD084' or sqlstate 'ZD091' then null;
    end;
  end loop;
end;
$$;
comment on function docket.end_expired_changes() is 'Undoes changes that were made for a time, once it is over.';
