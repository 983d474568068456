-- Called by: pace_lane and place_in_line. Not granted to anyone.
create or replace function docket.recognising_slots(p_lane text)
returns bigint
language sql
stable
as $$
  select sum(g.granted)
  from docket.slot_grants g
  join docket.leases l on l.lease_id = g.lease_id
  where l.closed_at is null
    and (g.pool = 'ocr' or g.pool = 'ocr_reserved' and (select n.is_reserved from docket.lanes n where n.lane = p_lane))
$$;
comment on function docket.recognising_slots(text) is
  'Slots of all processes that may recognise documents of a lane; null where no process has told of any.';
