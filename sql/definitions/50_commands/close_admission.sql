-- Closes admission: to all, to a source (source:X), or to a kind of documents (kind:Y). Deliveries are recorded and wait; what was
-- admitted goes on. To close what is closed says a new reason and until when.
-- Called by: operators. Effects and errors: see change_control.
create or replace function docket.close_admission(
  p_target text,
  p_reason text,
  p_for interval default null
)
returns table (change_id bigint, previous json, expires_at timestamptz)
language sql
security definer
set search_path = pg_catalog, pg_temp
as $$
  select c.change_id, c.old_value, c.expires_at
  from docket.change_control('admission', p_target, to_json('closed'::text), p_reason, p_for) as c;
$$;
comment on function docket.close_admission(text, text, interval) is
  'Closes admission: deliveries are recorded and wait. Raises ZD021, ZD073, ZD074.';
