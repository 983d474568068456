-- Counts what waits where the number is limited, so that a delivery need not: it adds what came since.
-- Called by: admit. Not granted to anyone. Effects: flow_states, once a second at most.
create or replace function docket.count_waiting(p_now timestamptz)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into docket.flow_states as t (target, waiting, counted_at)
  select f.target, docket.waiting_since(f.source_id, '-infinity', f.max_waiting), p_now
  from docket.flow_limits f
  left join docket.flow_states s on s.target = f.target
  where f.max_waiting is not null and coalesce(s.counted_at, '-infinity') < p_now - interval '1 second'
  on conflict (target) do update set waiting = excluded.waiting, counted_at = excluded.counted_at;
end;
$$;
comment on function docket.count_waiting(timestamptz) is 'Counts what waits where the number is limited.';
