-- Where a window begins that ends now: at the minute, or of a window of more than two hours the hour, that holds its beginning.
-- Called by: age_percentiles and quarantine_growth. Not granted to anyone. Errors: ZD074.
create or replace function docket.window_start(p_window interval)
returns timestamptz
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if (p_window > interval '0' and p_window <= interval '400 days') is not true then
    raise exception 'window: it is longer than nothing and at most 400 days, not %', coalesce(p_window::text, 'null')
      using errcode = 'ZD074', hint = 'State an interval such as 1 hour.';
  end if;
  return date_bin(
    case when p_window > interval '2 hours' then interval '1 hour' else interval '1 minute' end,
    clock_timestamp() - p_window,
    timestamptz '2000-01-01 00:00:00+00'
  );
end;
$$;
comment on function docket.window_start(interval) is 'Where a window begins that ends now, by whole minutes or hours. Raises ZD074.';
