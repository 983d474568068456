-- What a token bucket holds now: its burst, less what was taken and has not flowed back. Below zero after a charge that came later.
-- The bucket is kept as a theoretical arrival time (GCRA), so that it needs no filling. Null where there is no rate. Without rights
-- of its own, so that it is inlined.
-- Called by: admissible_jobs, admission_state, place_in_line, refuse_excess.
create or replace function docket.available_tokens(
  p_per_minute double precision,
  p_burst integer,
  p_tat timestamptz,
  p_now timestamptz
)
returns double precision
language sql
stable
as $$
  select p_burst - extract(epoch from greatest(p_tat, p_now) - p_now)::double precision * p_per_minute / 60
$$;
comment on function docket.available_tokens(double precision, integer, timestamptz, timestamptz) is
  'What a token bucket holds now, by its theoretical arrival time; null without a rate.';
