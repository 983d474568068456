-- Opens admission where it was closed by the same target. What waits enters as its limits and lanes allow.
-- Called by: operators. Effects and errors: see change_control.
create or replace function docket.open_admission(
  p_target text,
  p_reason text
)
returns table (change_id bigint, previous json, expires_at timestamptz)
language sql
security definer
set search_path = pg_catalog, pg_temp
as $$
  select c.change_id, c.old_value, c.expires_at
  from docket.change_control('admission', p_target, null, p_reason, null) as c;
$$;
comment on function docket.open_admission(text, text) is
  'Opens admission that was closed. Raises ZD021, ZD073.';
