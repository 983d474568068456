-- How many jobs of each lane stand in each stage that passes, and since when the oldest does; of the sources that the caller sees.
-- Called by: everybody who reads docket_api; about once a second for each of them, so nothing here grows with the number of
-- documents: what waits is read in order of its index, what is under way is bounded by admission, and counts end at 10,000.
create or replace function docket_api.queue_ages()
returns table (
  lane text,
  stage text,
  jobs integer,
  is_more boolean,
  oldest_at timestamptz,
  age_seconds double precision
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  with visible as materialized (
    select array(select docket.visible_sources()) as sources
  ),
  lanes as materialized (
    select l.lane, nullif(l.lane, 'standard') as stored, l.rank from docket.lanes l
  ),
  counted as (
    select l.lane, 'accepted' as stage, count(*) as jobs
    from lanes l
    cross join lateral (
      select
      from visible v
      cross join lateral unnest(v.sources) as s (source_id)
      cross join lateral docket.waiting_seen(s.source_id, l.stored, v.sources, 10001)
      limit 10001
    ) as w
    group by l.lane
  ),
  waiting_since as (
    select l.lane, 'accepted' as stage, w.since
    from lanes l
    cross join visible v
    cross join lateral unnest(v.sources) as s (source_id)
    cross join lateral docket.waiting_seen(s.source_id, l.stored, v.sources, 1) as w
  ),
  under_way as (
    select coalesce(j.lane, 'standard') as lane, j.state as stage,
      case when j.state = 'accepted' then j.accepted_at else j.state_at end as since
    from docket.jobs j
    cross join visible v
    where j.next_task is not null
      and coalesce(
        (select bool_or(d.source_id = any (v.sources)) from docket.document_sources d where d.job_id = j.job_id),
        j.source_id = any (v.sources)
      )
    limit 10001
  ),
  sums as (
    select c.lane, c.stage, sum(c.jobs) as jobs
    from (select * from counted union all select u.lane, u.stage, 1 from under_way u) as c
    group by c.lane, c.stage
  ),
  oldest as (
    select o.lane, o.stage, min(o.since) as since
    from (select * from waiting_since union all select * from under_way) as o
    group by o.lane, o.stage
  )
  select l.lane, s.stage, least(coalesce(c.jobs, 0), 10000)::integer, coalesce(c.jobs > 10000, false), o.since,
    extract(epoch from clock_timestamp() - o.since)::double precision
  from lanes l
  cross join (values ('accepted', 1), ('running', 2), ('validated', 3)) as s (stage, place)
  left join sums c on c.lane = l.lane and c.stage = s.stage
  left join oldest o on o.lane = l.lane and o.stage = s.stage
  order by l.rank, s.place
$$;
comment on function docket_api.queue_ages() is
  $$How many jobs of each lane are accepted, running and validated, of the sources that you may see, and how old the oldest of each is.
Counts end at 10,000 (is_more). Age is counted since acceptance; for running and validated since then.
@behavior +queryField:resource:list -queryField:resource:connection$$;
