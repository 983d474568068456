-- Has everybody who delivered a document told what there is to tell.
-- Called by: the commands that verify, stop, release and check documents, after they recorded it. Not granted to anyone.
create or replace function docket.order_receipts_of(p_jobs uuid[])
returns void
language sql
security definer
set search_path = pg_catalog, pg_temp
as $$
  select docket.order_receipts(
    array(
      select d.delivery_id
      from unnest(p_jobs) as n (job_id)
      cross join lateral (select d.delivery_id from docket.deliveries d where d.job_id = n.job_id offset 0) as d
    )
  )
$$;
comment on function docket.order_receipts_of(uuid[]) is 'Has everybody who delivered a document told what there is to tell of it.';
