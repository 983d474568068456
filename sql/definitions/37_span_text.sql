-- A span as a clock shows it, whatever the session's settings: hours, minutes and whole seconds, of days as many hours as they have.
create or replace function docket.span_text(p_span interval)
returns text
language sql
stable
parallel safe
as $$
  select to_char(make_interval(secs => floor(extract(epoch from p_span))::double precision), 'HH24:MI:SS')
$$;
comment on function docket.span_text(interval) is 'A span in hours, minutes and whole seconds, such as 168:00:00.';
