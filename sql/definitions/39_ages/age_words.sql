-- A span of time as people say it, in its two largest units: 45 s, 12 min 5 s, 2 h 3 min, 4 d 1 h; null of none.
-- Called by: slo_words, slo_measures, watched, watch. Not granted to anyone.
create or replace function docket.age_words(p_seconds double precision)
returns text
language sql
immutable
strict
security definer
set search_path = pg_catalog, pg_temp
as $$
  select case
    when a.seconds < 60 then a.seconds || ' s'
    when a.seconds < 3600 then concat_ws(' ', a.seconds / 60 || ' min', nullif(a.seconds % 60, 0) || ' s')
    when a.seconds < 86400 then concat_ws(' ', a.seconds / 3600 || ' h', nullif(a.seconds % 3600 / 60, 0) || ' min')
    else concat_ws(' ', a.seconds / 86400 || ' d', nullif(a.seconds % 86400 / 3600, 0) || ' h')
  end
  from (select greatest(floor(p_seconds), 0)::bigint as seconds) as a
$$;
comment on function docket.age_words(double precision) is 'A span of time as people say it, in its two largest units.';
