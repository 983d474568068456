-- How long to wait before the next try: the base, doubled for each try before this one, up to the longest; with a fifth of jitter
-- either way. Without rights of its own, so that it is inlined.
-- Called by: settle_failures, record_delivery_checks, record_object_orders, record_webhook_attempts. Not granted to anyone.
create or replace function docket.back_off(
  p_base interval,
  p_longest interval,
  p_tries_before bigint
)
returns interval
language sql
volatile
as $$
  select least(p_base * power(2, least(p_tries_before, 20)), p_longest) * (0.8 + 0.4 * random())
$$;
comment on function docket.back_off(interval, interval, bigint) is
  'How long to wait before the next try, doubled for each one before, capped, with jitter.';
