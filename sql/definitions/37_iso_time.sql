-- A time as JSON states it, whatever the session's settings: in UTC, with the microseconds that hashes are made over.
create or replace function docket.iso_time(p_at timestamptz)
returns text
language sql
stable
parallel safe
as $$
  select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;
comment on function docket.iso_time(timestamptz) is 'A time in UTC, as ISO 8601, with microseconds.';
