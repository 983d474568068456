-- How many documents are in each state, and since when the oldest is there where it does not stay: from what was counted, and by index.
-- What waits to be admitted counts since it was accepted.
-- Called by: docket status; operators, auditors, evidence owners. Effects: none.
create or replace function docket.document_counts()
returns table (state text, documents bigint, oldest_at timestamptz)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
begin
  return query
  with steps as materialized (
    select s.from_state, s.to_state, sum(s.events)::bigint as events
    from docket.recorded_steps() s
    where s.from_state <> s.to_state
    group by s.from_state, s.to_state
  ),
  oldest as materialized (
    select o.state, min(o.since) as since
    from (
      select 'accepted' as state, w.oldest_at as since from docket.queue_health('all') w where w.measure = 'waiting'
      union all
      select j.state, j.state_at from docket.jobs j where j.next_task is not null
      union all
      (select 'quarantined', q.state_at from docket.jobs q where q.state = 'quarantined' order by q.state_at, q.job_id limit 1)
    ) as o
    group by o.state
  )
  select s.state,
    coalesce((select sum(t.events) from steps t where t.to_state = s.state), 0)::bigint
      - coalesce((select sum(t.events) from steps t where t.from_state = s.state), 0)::bigint,
    (select o.since from oldest o where o.state = s.state)
  from docket.job_states s
  where s.state <> 'none'
  order by array_position(array['accepted', 'running', 'validated', 'published', 'quarantined'], s.state);
end;
$$;
comment on function docket.document_counts() is 'How many documents are in each state, and since when the oldest is there.';
