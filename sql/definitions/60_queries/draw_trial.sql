-- Published documents for a trial, at most so many, drawn at random and spread evenly over sources and kinds, so that what is rare is
-- tried too. Drawn from probes at random ids, which are hashes, and from the newest of each source: however many documents there are, so
-- many are looked at and no more.
-- Called by: start_trial. Not granted to anyone.
create or replace function docket.draw_trial(p_count integer)
returns table (job_id uuid)
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  with probes as materialized (
    select gen_random_uuid() as at from generate_series(1, greatest(200, least(p_count * 10, 20000)))
  ),
  candidates as materialized (
    select n.job_id
    from probes p
    cross join lateral (select j.job_id from docket.jobs j where j.job_id >= p.at order by j.job_id limit 1) as n
    union
    select n.job_id
    from docket.sources s
    cross join lateral (
      select d.job_id
      from docket.document_sources d
      where d.source_id = s.source_id
      order by d.received_at desc, d.job_id desc
      limit least(greatest(p_count, 50), 500)
    ) as n
  ),
  ranked as (
    select j.job_id, row_number() over (partition by j.source_id, j.document_kind order by random()) as turn
    from candidates c
    cross join lateral (select * from docket.jobs j where j.job_id = c.job_id limit 1) as j
    where j.state = 'published' and not docket.is_disposed(j.job_id)
  )
  select r.job_id from ranked r order by r.turn, random() limit p_count
$$;
comment on function docket.draw_trial(integer) is
  'Published documents for a trial, drawn at random and spread evenly over sources and kinds.';
