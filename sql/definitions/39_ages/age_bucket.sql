-- The bucket of a span: eight for each doubling, so that the bound of a bucket is at most nine per cent above what is in it. No span is
-- negative: where the clock of the server was set back, it is 0. Without rights of its own, so that it is inlined.
-- Called by: measure_ages.
create or replace function docket.age_bucket(
  p_from timestamptz,
  p_to timestamptz
)
returns smallint
language sql
immutable
as $$
  select floor(8 * ln(greatest(extract(epoch from p_to - p_from)::double precision * 1000, 0) + 1) / ln(2::double precision))::smallint
$$;
comment on function docket.age_bucket(timestamptz, timestamptz) is 'Bucket in which a span of time is counted.';
