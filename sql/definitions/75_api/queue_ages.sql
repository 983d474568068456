-- How many jobs stand in each stage that passes, and since when the oldest does; of the sources that the caller sees.
-- Called by: everybody who reads docket_api; about once a second for each of them, so nothing here grows with the number of
-- documents: what waits is read in order of its index, what is under way is bounded by admission, and counts end at 10,000.
-- A job whose only event is its first was never verified, so for most of those that wait nothing has to be looked up.
create or replace function docket_api.queue_ages()
returns table (stage text, jobs integer, is_more boolean, oldest_at timestamptz, age_seconds double precision)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  with visible as materialized (
    select v.source_id from docket.visible_sources() as v (source_id)
  ),
  waiting as (
    select 'accepted' as stage, j.accepted_at as since
    from visible v
    cross join lateral (
      select w.accepted_at
      from docket.jobs w
      where w.source_id = v.source_id and w.state = 'accepted' and w.next_task is null
        and (
          w.seq = 1
          or not exists (select from docket.document_sources d where d.job_id = w.job_id offset 0)
          or exists (select from docket.document_sources d join visible using (source_id) where d.job_id = w.job_id offset 0)
        )
      order by w.accepted_at
      limit 10001
    ) as j
    limit 10001
  ),
  oldest_waiting as (
    select 'accepted' as stage, j.accepted_at as since
    from visible v
    cross join lateral (
      select w.accepted_at
      from docket.jobs w
      where w.source_id = v.source_id and w.state = 'accepted' and w.next_task is null
        and (
          w.seq = 1
          or not exists (select from docket.document_sources d where d.job_id = w.job_id offset 0)
          or exists (select from docket.document_sources d join visible using (source_id) where d.job_id = w.job_id offset 0)
        )
      order by w.accepted_at
      limit 1
    ) as j
  ),
  under_way as (
    select j.state as stage, case when j.state = 'accepted' then j.accepted_at else j.state_at end as since
    from docket.jobs j
    where j.next_task is not null
      and coalesce(
        (select bool_or(v.source_id is not null) from docket.document_sources d left join visible v using (source_id)
          where d.job_id = j.job_id),
        j.source_id in (select v.source_id from visible v)
      )
    limit 10001
  ),
  counted as (
    select c.stage, count(*) as jobs
    from (select w.stage from waiting w union all select u.stage from under_way u) as c
    group by c.stage
  ),
  oldest as (
    select o.stage, min(o.since) as since
    from (select * from oldest_waiting union all select * from under_way) as o
    group by o.stage
  )
  select s.stage, least(coalesce(c.jobs, 0), 10000)::integer, coalesce(c.jobs > 10000, false), o.since,
    extract(epoch from clock_timestamp() - o.since)::double precision
  from (values ('accepted', 1), ('running', 2), ('validated', 3)) as s (stage, place)
  left join counted c using (stage)
  left join oldest o using (stage)
  order by s.place
$$;
comment on function docket_api.queue_ages() is
  $$How many jobs are accepted, running and validated, of the sources that you may see, and how old the oldest of each is.
Counts end at 10,000 (is_more). Age is counted since acceptance; for running and validated since then.
@behavior +queryField:resource:list -queryField:resource:connection$$;
