-- Those of the deliveries whose place another source was first to name for the same document. A place that somebody else named
-- shows nothing: it may be known without the bytes. Versions are not looked at, and neither is the case of letters, which
-- some file systems do not tell apart. An object that Docket sealed is of the source that it was sealed for.
-- Called by: claim_delivery_checks, record_delivery_checks. Not granted to anyone.
create or replace function docket.taken_places(p_deliveries bigint[])
returns setof bigint
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select d.delivery_id
  from unnest(p_deliveries) as n (delivery_id)
  cross join lateral (select * from docket.deliveries d where d.delivery_id = n.delivery_id limit 1) as d
  cross join lateral (
    select f.source_id
    from docket.deliveries f
    where f.job_id = d.job_id and lower(f.locator) = lower(d.locator)
    order by f.delivery_id
    limit 1
  ) as first
  where first.source_id <> d.source_id
    or exists (
      select from docket.object_keys k
      where d.encryption = 'docket' and k.locator = d.locator and k.source_id <> d.source_id
    )
$$;
comment on function docket.taken_places(bigint[]) is
  'Those of the deliveries whose place another source was first to name for the same document.';
