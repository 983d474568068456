-- Says that the object store of a worker keeps objects from being deleted until a date. From then on, and while such a worker
-- lives, what is verified is protected there too; so is at once what was verified since the worker began, because the store may
-- not have answered until now.
-- Called by: the worker, as soon as its store says so. Effects: leases, object_orders.
create or replace function docket.declare_object_lock(p_lease_id uuid)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_since timestamptz;
  v_jobs uuid[];
begin
  -- record
  update docket.leases l
  set locks_objects = true
  where l.lease_id = p_lease_id and l.closed_at is null
  returning l.opened_at into v_since;

  -- lock
  select array_agg(j.job_id)
  into v_jobs
  from (
    select j.job_id
    from docket.jobs j
    where j.job_id in (select s.job_id from docket.document_sources s where s.verified_at >= v_since)
    order by j.job_id
    for no key update
  ) as j;

  -- enqueue
  if v_jobs is not null then
    perform docket.order_protection(v_jobs);
  end if;
end;
$$;
comment on function docket.declare_object_lock(uuid) is 'Says that the store of a worker can lock objects.';
