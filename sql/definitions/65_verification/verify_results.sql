-- Recomputes the salted hash of every stored result from its pages, and compares each published event with its result.
create or replace function docket.verify_results()
returns table (
  checked text,
  checked_count bigint,
  failed_count bigint,
  first_offender text
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  with recomputed as (
    select r.job_id, r.result_sha256,
      docket.result_hash(s.salt, v.sha256, r.config_sha256, p.page_count, p.bytes) as hash
    from docket.results r
    join docket.evidence v on v.job_id = r.job_id
    join docket.job_salts s on s.job_id = r.job_id
    cross join lateral (
      select count(*)::integer as page_count,
        coalesce(
          string_agg(
            docket.page_bytes(p.page_no, p.width_px, p.height_px, p.verdict, p.text, p.words), ''::bytea order by p.page_no
          ),
          ''::bytea
        ) as bytes
      from docket.pages p
      where p.job_id = r.job_id and p.result_sha256 = r.result_sha256
    ) as p
  )
  select 'result hashes', count(*), count(*) filter (where c.hash <> c.result_sha256),
    min(c.job_id::text) filter (where c.hash <> c.result_sha256)
  from recomputed c
  union all
  select 'published results', count(*), count(*) filter (where bad.is_bad), min(j.job_id::text) filter (where bad.is_bad)
  from docket.jobs j
  join docket_audit.events e on e.job_id = j.job_id and e.event = 'published'
  cross join lateral (
    select e.detail::json ->> 'result_sha256' is distinct from encode(j.result_sha256, 'hex') as is_bad
  ) as bad
  where j.state = 'published'
$$;
comment on function docket.verify_results() is
  'Recomputes the hashes of stored results and compares published events with them.';
