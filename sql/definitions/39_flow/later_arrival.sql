-- The theoretical arrival time after a charge: never earlier than exact, so that no rounding lets more in than the rate allows. As it
-- was where there is no rate. Without rights of its own, so that it is inlined.
-- Called by: charge_admission and settle_page_charges.
create or replace function docket.later_arrival(
  p_tat timestamptz,
  p_cost double precision,
  p_per_minute double precision,
  p_now timestamptz
)
returns timestamptz
language sql
stable
as $$
  select coalesce(
    greatest(p_tat, p_now) + make_interval(secs => ceil(p_cost * 60000000 / p_per_minute) / 1000000),
    p_tat,
    '-infinity'
  )
$$;
comment on function docket.later_arrival(timestamptz, double precision, double precision, timestamptz) is
  'The theoretical arrival time of a token bucket after a charge.';
