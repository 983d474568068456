-- How many documents of a lane that are due may be under way at once: as many as are finished in a second, and two for each slot that
-- recognises, and never more than the worker is configured for. So what comes next waits a
-- second or two behind what was admitted before it, however slow the pages are, and fast ones keep all slots busy (Little's law).
-- Where no process has told of its slots, as many as the worker is configured for. What waits for its next try takes no part.
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
as $$
declare
  v_under_way integer;
  v_pace record;
  v_rate double precision;
  v_slots bigint;
begin
  select count(*) into v_under_way
  from docket.jobs j
  where j.next_task is not null and coalesce(j.lane, 'standard') = p_lane and coalesce(j.due_at <= p_now, true);

  -- what was finished since the last look, weighed by how long ago that was; after a rest nothing is known of it
  select p.under_way, p.documents_per_second, extract(epoch from p_now - p.looked_at)::double precision as seconds
  into v_pace
  from docket.lane_paces p
  where p.lane = p_lane;
  v_rate := coalesce(v_pace.documents_per_second, 0);
  if v_pace.seconds > 0 and v_pace.seconds < 5 then
    v_rate := v_rate
      + (greatest(v_pace.under_way - v_under_way, 0) / v_pace.seconds - v_rate) * (1 - exp(-v_pace.seconds / 2));
  end if;
  insert into docket.lane_paces as p (lane, looked_at, under_way, documents_per_second)
  values (p_lane, p_now, v_under_way, v_rate)
  on conflict (lane) do update set
    looked_at = excluded.looked_at, under_way = excluded.under_way, documents_per_second = excluded.documents_per_second;

  select sum(g.granted) into v_slots
  from docket.slot_grants g
  join docket.leases l on l.lease_id = g.lease_id
  where l.closed_at is null
    and (g.pool = 'ocr' or g.pool = 'ocr_reserved' and (select n.is_reserved from docket.lanes n where n.lane = p_lane));
  return case when v_slots is null then p_most else least(p_most, greatest(ceil(v_rate + 2 * v_slots), 2))::integer end;
end;
$$;
comment on function docket.pace_lane(text, integer, timestamptz) is
  'How many documents of a lane may be under way, by how fast they are finished and how many slots there are.';
