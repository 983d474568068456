-- Writes the thresholds of an objective; alerts follow in the next round.
-- Called by: change_control, which has checked the target. Not granted to anyone. Effects: slos.
create or replace function docket.write_slo(
  p_slo text,
  p_value json
)
returns void
language sql
security definer
set search_path = pg_catalog, pg_temp
as $$
  update docket.slos s
  set warning = (p_value ->> 'warning')::double precision,
    breach = (p_value ->> 'breach')::double precision,
    rollback = (p_value ->> 'rollback')::double precision
  where s.slo = p_slo
$$;
comment on function docket.write_slo(text, json) is 'Writes the thresholds of an objective.';
