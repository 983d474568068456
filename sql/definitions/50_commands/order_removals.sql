-- Has the objects of documents removed from the store: those that were seen to hold their bytes, those that were sealed for them,
-- and those that other deliveries named. A place that another document may need is left alone: one where its bytes were seen or
-- sealed, and, where nobody has seen the bytes of this one, any that another delivery names. Whoever records a key says himself
-- where its object lies: that counts against those alone who came to name the place later. Where nobody has seen the bytes, what is
-- yet to be delivered or noticed is as of another document.
-- Called by: erase_documents, before the keys go. Not granted to anyone. Effects: object_orders.
create or replace function docket.order_removals(p_jobs uuid[])
returns void
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  with unnoticed as materialized (
    select a.delivery_id
    from docket.arrivals a
    where not exists (select from docket.evidence e where e.job_id = a.job_id)
  ),
  places as materialized (
    select p.locator, p.version, min(p.job_id::text)::uuid as job_id, min(p.seen_since) as seen_since
    from (
      select k.job_id, k.locator, k.version, k.sealed_at as seen_since
      from docket.object_keys k
      where k.job_id = any (p_jobs) and not docket.outlives_disposal(k.job_id, k.source_id, k.locator)
      union all
      select d.job_id, d.locator, d.version,
        case
          when exists (select from docket.document_sources s where s.job_id = d.job_id and s.delivery_id = d.delivery_id)
            then '-infinity'::timestamptz
        end
      from docket.deliveries d
      where d.job_id = any (p_jobs) and d.delivery_id not in (select u.delivery_id from unnoticed u)
    ) as p
    group by p.locator, p.version
  ),
  -- one pass over the deliveries, however many documents: nothing else looks them up by place
  others as materialized (
    select d.locator, d.version, d.received_at as named_at,
      exists (select from docket.document_sources s where s.job_id = d.job_id and s.delivery_id = d.delivery_id) as is_seen
    from docket.deliveries d
    where d.locator in (select p.locator from places p)
      and (
        d.job_id <> all (p_jobs) and not docket.is_disposed(d.job_id)
        or d.delivery_id in (select u.delivery_id from unnoticed u)
      )
    union all
    select k.locator, k.version, k.sealed_at, true
    from docket.object_keys k
    where k.locator in (select p.locator from places p)
      and (k.job_id <> all (p_jobs) or docket.outlives_disposal(k.job_id, k.source_id, k.locator))
  )
  insert into docket.object_orders (job_id, locator, version, act)
  select p.job_id, p.locator, p.version, 'remove'
  from places p
  where not exists (
    select
    from others o
    where o.locator = p.locator
      and (o.version is null or p.version is null or o.version = p.version)
      and (o.is_seen or p.seen_since is null or o.named_at < p.seen_since)
  )
  on conflict on constraint object_orders__removal_is_ordered_once_uq do nothing
$$;
comment on function docket.order_removals(uuid[]) is
  'Has the objects of documents removed from the store, unless another document may need them.';
