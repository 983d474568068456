-- How bad a value is: 3 from the rollback threshold on, 2 from breach, 1 from warning, else 0; thresholds taken times a factor, by which
-- what eases has to ease clearly. Without rights of its own, so that it is inlined.
-- Called by: watch.
create or replace function docket.alert_rank(
  p_value double precision,
  p_thresholds double precision[],
  p_factor double precision
)
returns integer
language sql
immutable
as $$
  select case
    when p_value >= p_thresholds[3] * p_factor then 3
    when p_value >= p_thresholds[2] * p_factor then 2
    when p_value >= p_thresholds[1] * p_factor then 1
    else 0
  end
$$;
comment on function docket.alert_rank(double precision, double precision[], double precision) is 'How bad a value is, by its thresholds.';
