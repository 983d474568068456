-- Writes the limit of a target, or takes it away.
-- Called by: change_control, which has checked the target. Not granted to anyone. Effects: flow_limits.
create or replace function docket.write_flow_limit(
  p_target text,
  p_value json,
  p_at timestamptz
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_value is null then
    delete from docket.flow_limits l where l.target = p_target;
    return;
  end if;
  insert into docket.flow_limits as l (target, source_id, documents_per_minute, documents_burst, pages_per_minute, pages_burst,
    max_waiting, max_in_flight_mb, on_excess, set_at)
  select p_target, substring(p_target from '^source:(.*)$'), n.documents_per_minute, n.documents_burst, n.pages_per_minute, n.pages_burst,
    n.max_waiting, n.max_in_flight_mb, n.on_excess, p_at
  from json_to_record(p_value) as n (documents_per_minute double precision, documents_burst integer,
    pages_per_minute double precision, pages_burst integer, max_waiting integer, max_in_flight_mb integer, on_excess text)
  on conflict (target) do update
  set documents_per_minute = excluded.documents_per_minute, documents_burst = excluded.documents_burst,
    pages_per_minute = excluded.pages_per_minute, pages_burst = excluded.pages_burst,
    max_waiting = excluded.max_waiting, max_in_flight_mb = excluded.max_in_flight_mb, on_excess = excluded.on_excess,
    set_at = excluded.set_at;
end;
$$;
comment on function docket.write_flow_limit(text, json, timestamptz) is 'Writes the limit of a target, or takes it away.';
