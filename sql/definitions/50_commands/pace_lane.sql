-- How many documents of a lane that are due may be under way at once: as few as keep its slots busy, so that what comes next waits behind
-- few. Two for each slot that recognises, one at work and one ready, is enough while pages are slow. Where the window was full and yet
-- nothing is ready for a slot that is idle, it grows: eightfold in a second if what is being fetched and checked cannot fill the idle
-- slots either; else, as that only takes its time, by half. Where as many are ready as there are slots it shrinks, by two fifths in a
-- second, down to those two a slot.
-- Where no process has told of its slots, as many as the worker is configured for, which is the most in any case. What waits for its next
-- try takes no part.
-- Called by: admit, while something waits in the lane. Not granted to anyone. Effects: lane_paces.
create or replace function docket.pace_lane(
  p_lane text,
  p_most integer,
  p_now timestamptz
)
returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_bitmapscan = off -- a plain scan marks the dead entries of its index, so that the next one passes over them
as $$
declare
  v_slots bigint;
  v_least bigint;
  v_now record;
  v_pace record;
  v_window double precision;
begin
  v_slots := docket.recognising_slots(p_lane);
  if v_slots is null then
    return p_most;
  end if;
  v_least := greatest(2 * v_slots, 2);

  select count(*) as under_way,
    count(*) filter (where j.next_task = 'hash') as checked,
    count(*) filter (where j.next_task = 'ocr' and j.token is null) as ready,
    v_slots - count(*) filter (where j.next_task = 'ocr' and j.token is not null) as idle
  into v_now
  from docket.jobs j
  where j.next_task is not null and coalesce(j.lane, 'standard') = p_lane and coalesce(j.due_at <= p_now, true);

  -- after a second's rest nothing is known of what comes now
  select p.window_size, p.under_way, extract(epoch from p_now - p.looked_at)::double precision as seconds
  into v_pace
  from docket.lane_paces p
  where p.lane = p_lane and p.looked_at >= p_now - interval '1 second';
  v_window := coalesce(v_pace.window_size, v_least);
  v_window := v_window * case
    when v_now.ready >= v_slots then 0.6
    when v_now.ready > 0 or v_now.idle <= 0 or v_pace.under_way < floor(v_window) then 1
    when v_now.checked < v_now.idle then 8
    else 1.5
  end ^ coalesce(v_pace.seconds, 0);
  v_window := least(greatest(v_window, v_least), p_most);

  insert into docket.lane_paces as p (lane, looked_at, window_size, under_way)
  values (p_lane, p_now, v_window, v_now.under_way)
  on conflict (lane) do update set
    looked_at = excluded.looked_at, window_size = excluded.window_size, under_way = excluded.under_way;
  return floor(v_window);
end;
$$;
comment on function docket.pace_lane(text, integer, timestamptz) is
  'How many documents of a lane may be under way: as few as keep its slots busy.';
