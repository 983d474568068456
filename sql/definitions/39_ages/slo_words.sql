-- What was measured for an objective, or a threshold of it, as people say it: a share in per cent, else a span.
-- Called by: watch. Not granted to anyone.
create or replace function docket.slo_words(
  p_is_share boolean,
  p_value double precision
)
returns text
language sql
immutable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select case when p_is_share then trim_scale(round(100 * p_value::numeric, 1)) || ' %' else docket.age_words(p_value) end
$$;
comment on function docket.slo_words(boolean, double precision) is 'What was measured for an objective, as people say it.';
