-- Has the store brought up to what the database says of the retention and the holds of documents: of every object of theirs
-- whose bytes were seen to match. An order that waits already, or is under way, is ordered anew: its worker may have been told
-- what held before.
-- Called by: commands that place or lift holds, lengthen retention or verify, with the jobs locked. Not granted to anyone.
-- Effects: object_orders. A store that cannot lock objects drops the orders.
create or replace function docket.order_protection(p_jobs uuid[])
returns void
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into docket.object_orders as o (job_id, locator, version, act)
  select distinct on (d.locator, d.version) s.job_id, d.locator, d.version, 'protect'
  from docket.document_sources s
  cross join lateral (select * from docket.deliveries d where d.delivery_id = s.delivery_id limit 1) as d
  where s.job_id = any (p_jobs)
  order by d.locator, d.version, s.job_id
  on conflict (act, locator, version) do update set
    tries = 0,
    ordered_at = clock_timestamp(),
    -- one that has failed need not wait; one that is under way ends first
    due_at = case when o.last_code is null then o.due_at else clock_timestamp() end
$$;
comment on function docket.order_protection(uuid[]) is
  'Has the store brought up to the retention and the holds of documents.';
