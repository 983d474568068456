-- The upper bound of a bucket of spans, in milliseconds. Without rights of its own, so that it is inlined.
-- Called by: age_percentiles.
create or replace function docket.bucket_end_ms(p_bucket integer)
returns double precision
language sql
immutable
as $$
  select power(2::double precision, (p_bucket + 1) / 8::double precision) - 1
$$;
comment on function docket.bucket_end_ms(integer) is 'Upper bound of a bucket of spans, in milliseconds.';
