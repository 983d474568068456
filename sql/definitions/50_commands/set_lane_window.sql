-- Says how many documents of a lane may be admitted and not finished; null: as many as the workers are configured to let in.
-- Called by: operators. Effects and errors: see change_control.
create or replace function docket.set_lane_window(
  p_lane text,
  p_window integer,
  p_reason text,
  p_for interval default null
)
returns table (change_id bigint, previous json, expires_at timestamptz)
language sql
security definer
set search_path = pg_catalog, pg_temp
as $$
  select c.change_id, c.old_value, c.expires_at
  from docket.change_control('window', p_lane, to_json(p_window), p_reason, p_for) as c;
$$;
comment on function docket.set_lane_window(text, integer, text, interval) is
  'Sets how many documents of a lane may be admitted and not finished. Raises ZD021, ZD073, ZD074.';
