-- Says how many slots of a pool each process has at most, and all processes together; null: no more is said than they are configured
-- to have. Processes follow within two seconds; what runs is left to end.
-- Called by: operators. Effects and errors: see change_control.
create or replace function docket.set_pool_limit(
  p_pool text,
  p_per_process integer,
  p_fleet integer,
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
    'pool',
    p_pool,
    case
      when num_nonnulls(p_per_process, p_fleet) > 0 then json_build_object('per_process', p_per_process, 'fleet', p_fleet)
    end,
    p_reason,
    p_for
  ) as c;
$$;
comment on function docket.set_pool_limit(text, integer, integer, text, interval) is
  'Sets how many slots of a pool each process has at most, and all together. Raises ZD021, ZD073, ZD074.';
