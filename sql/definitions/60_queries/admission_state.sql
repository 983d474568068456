-- What waits for admission, a row for each source that has any: how much (counted to 10,000), since when, which gate is closed before it,
-- and, where a rate keeps the next document waiting, whose limit it is and when its turn comes (null: it may enter as soon as there is
-- room in the window). Documents of it that are under way are those that were admitted and have not finished.
-- Called by: operators; docket admission show.
create or replace function docket.admission_state()
returns table (
  source_id text,
  waiting integer,
  oldest_at timestamptz,
  gate text,
  flow_limit text,
  next_at timestamptz,
  in_flight integer
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
begin
  return query
  with limits as materialized (
    select f.target, f.source_id,
      greatest(
        v_now + make_interval(
          secs => 60 / f.documents_per_minute
            * nullif(greatest(1 - docket.available_tokens(f.documents_per_minute, f.documents_burst, t.documents_tat, v_now), 0), 0)
        ),
        v_now + make_interval(
          secs => 60 / f.pages_per_minute
            * nullif(greatest(p.pages - docket.available_tokens(f.pages_per_minute, f.pages_burst, t.pages_tat, v_now), 0), 0)
        )
      ) as next_at
    from docket.flow_limits f
    left join docket.flow_states t on t.target = f.target
    cross join lateral (select least(coalesce(t.pages_per_document, 1), f.pages_burst) as pages) as p
  ),
  under_way as materialized (
    select j.source_id, count(*)::integer as jobs from docket.jobs j where j.next_task is not null group by j.source_id
  )
  select s.source_id, docket.waiting_since(s.source_id, '-infinity', 10000), oldest.accepted_at,
    (
      select g.target
      from docket.admission_gates g
      where g.target = 'all' or g.source_id = s.source_id
      order by g.source_id nulls first
      limit 1
    ),
    held.target, held.next_at, coalesce(u.jobs, 0)
  from docket.sources s
  cross join lateral (
    select min(w.accepted_at) as accepted_at
    from (select nullif(n.lane, 'standard') as lane from docket.lanes n) as l
    cross join lateral docket.waiting_jobs(s.source_id, l.lane, '{}', '-infinity', 1) as w
  ) as oldest
  left join lateral (
    select l.target, l.next_at
    from limits l
    where l.next_at is not null and (l.source_id = s.source_id or l.source_id is null)
    order by l.next_at desc
    limit 1
  ) as held on true
  left join under_way u on u.source_id = s.source_id
  where oldest.accepted_at is not null
  order by s.source_id;
end;
$$;
comment on function docket.admission_state() is
  'What waits for admission, a row for each source: how much, since when, what keeps it waiting, and when its next turn comes.';
