-- Charges documents that enter to the token buckets of their sources and of all, and notes what was charged for each.
-- Called by: admit, while anything is limited, with the jobs locked. Not granted to anyone. Effects: flow_states; predictions of jobs.
create or replace function docket.charge_admission(
  p_jobs uuid[],
  p_sources text[],
  p_pages double precision[],
  p_mb real[],
  p_now timestamptz
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update docket.jobs j
  set predicted_pages = n.pages, predicted_mb = n.mb
  from unnest(p_jobs, p_pages, p_mb) as n (job_id, pages, mb)
  where j.job_id = n.job_id;

  insert into docket.flow_states as t (target, documents_tat, pages_tat)
  select f.target,
    docket.later_arrival(s.documents_tat, e.documents, f.documents_per_minute, p_now),
    docket.later_arrival(s.pages_tat, e.pages, f.pages_per_minute, p_now)
  from docket.flow_limits f
  left join docket.flow_states s on s.target = f.target
  cross join lateral (
    select count(*) as documents, sum(n.pages) as pages
    from unnest(p_sources, p_pages) as n (source_id, pages)
    where f.source_id is null or f.source_id = n.source_id
  ) as e
  where e.documents > 0
  on conflict (target) do update set documents_tat = excluded.documents_tat, pages_tat = excluded.pages_tat;
end;
$$;
comment on function docket.charge_admission(uuid[], text[], double precision[], real[], timestamptz) is
  'Charges documents that enter to the token buckets of their sources and of all.';
