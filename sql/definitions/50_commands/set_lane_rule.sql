-- Says in which lane documents of a source go, all or those of a kind; a null lane: no rule, so that the rule of the source, else the
-- lane of the kind counts. Documents that wait change their lane with it.
-- Called by: operators. Effects and errors: see change_control.
create or replace function docket.set_lane_rule(
  p_source text,
  p_kind text,
  p_lane text,
  p_reason text,
  p_for interval default null
)
returns table (change_id bigint, previous json, expires_at timestamptz)
language sql
security definer
set search_path = pg_catalog, pg_temp
as $$
  select c.change_id, c.old_value, c.expires_at
  from docket.change_control(
    'lane_rule', 'source:' || p_source || coalesce(' kind:' || p_kind, ''), to_json(p_lane), p_reason, p_for
  ) as c;
$$;
comment on function docket.set_lane_rule(text, text, text, text, interval) is
  'Sets the lane of documents of a source, all or those of a kind. Raises ZD021, ZD073, ZD074.';
