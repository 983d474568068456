-- Hands out what is to be done in the object store, what has waited longest first, each for two minutes; a worker that dies
-- leaves it to be handed out again after that. An object is not removed while its protection is still being brought up to
-- date, unless that has failed for a while; and not at all any more, once the bytes of another document were seen at its place.
-- Called by: every worker process, between the duties; several may at a time. Effects: object_orders.
-- `retain_until` and `is_held` are what the database says at this moment: what a protected object is to be like.
create or replace function docket.claim_object_orders(p_limit integer)
returns table (
  object_order_id bigint,
  job_id uuid,
  act text,
  locator text,
  version text,
  retain_until timestamptz,
  is_held boolean,
  tries integer,
  seconds double precision
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_time constant interval := '2 minutes';
  v_removals text[];
begin
  -- check
  if not exists (select from docket.object_orders o where o.due_at <= v_now) then
    return;
  end if;
  v_removals := array(select o.locator from docket.object_orders o where o.act = 'remove' and o.due_at <= v_now limit 1000);
  if v_removals <> '{}' then
    -- one pass over the deliveries, however many orders: nothing else looks them up by place
    delete from docket.object_orders o
    using docket.deliveries d
    where o.act = 'remove' and o.due_at <= v_now
      and d.locator = any (v_removals) and d.locator = o.locator and d.version is not distinct from o.version
      and d.job_id <> o.job_id and not docket.is_disposed(d.job_id)
      and exists (select from docket.document_sources s where s.job_id = d.job_id and s.delivery_id = d.delivery_id);
  end if;

  -- lock, record
  return query
  with due as materialized (
    select o.object_order_id
    from docket.object_orders o
    where o.due_at <= v_now
      -- what was delivered and not noticed yet may be what lies there
      and not (
        o.act = 'remove' and exists (
          select
          from docket.arrivals a
          cross join lateral (select * from docket.deliveries d where d.delivery_id = a.delivery_id limit 1) as d
          where d.locator = o.locator
        )
      )
      and not (
        o.act = 'remove' and exists (
          select from docket.object_orders p
          where p.act = 'protect' and p.locator = o.locator and p.version is not distinct from o.version and p.tries < 5
        )
      )
    order by o.due_at
    limit p_limit
    for update of o skip locked
  ),
  claimed as (
    update docket.object_orders o
    set due_at = v_now + v_time, tries = o.tries + 1, last_code = null
    from due d
    where o.object_order_id = d.object_order_id
    returning o.*
  )
  select c.object_order_id, c.job_id, c.act, c.locator, c.version,
    case when c.act = 'protect' then docket.retain_until(c.job_id) end,
    c.act = 'protect' and docket.is_held(c.job_id),
    c.tries, extract(epoch from v_time)::double precision
  from claimed c
  order by c.object_order_id;
end;
$$;
comment on function docket.claim_object_orders(integer) is
  'Hands out what is to be done in the object store: objects to remove, and objects to protect as the database says now.';
