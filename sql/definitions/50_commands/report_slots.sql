-- Takes down which slots a worker process has open, and tells it how many of each pool it may have. Processes share the slots of the
-- fleet evenly, none having more than it asks for; what another one has not yet given up is not given again, so that all together
-- never have more than the limit.
-- Called by: every worker process, more than once a second. Effects: slot_grants, only where something is otherwise than before.
-- `running` counts slots that are open, at work or not: a process closes them first, and opens none before it was answered.
-- Errors: ZD040 the lease has ended · ZD078 a pool is named twice, or a count is missing.
create or replace function docket.report_slots(
  p_lease uuid,
  p_pools text[],
  p_wanted integer[],
  p_running integer[],
  p_held_back text[]
)
returns table (pool text, granted integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '1s'
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
begin
  -- lock: unless the fleet is limited, the slots of one process do not depend on those of others
  if exists (select from docket.pool_limits l where l.pool = any (p_pools) and l.fleet is not null) then
    perform from docket.duties d where d.duty = 'slots' for update;
  end if;

  -- check
  if cardinality(p_wanted) is distinct from cardinality(p_pools) or cardinality(p_running) is distinct from cardinality(p_pools)
      or array_position(p_wanted || p_running, null) is not null
      or (select count(distinct n.pool) from unnest(p_pools) as n (pool)) <> cardinality(p_pools) then
    raise exception 'pools: each is named once, with the slots that are wanted and those that are open'
      using errcode = 'ZD078', hint = 'State a row a pool.';
  end if;
  if not exists (select from docket.leases l where l.lease_id = p_lease and l.closed_at is null and l.deadline > v_now) then
    raise exception 'lease % has ended', p_lease
      using errcode = 'ZD040', hint = 'Stop all work and open a new lease.';
  end if;

  -- record
  if not exists (select from docket.slot_grants g where g.lease_id = p_lease) then
    delete from docket.slot_grants g using docket.leases l where l.lease_id = g.lease_id and l.closed_at is not null;
  end if;
  return query
  with reported as (
    select p_lease as lease_id, n.pool, n.wanted, n.running, n.held_back, 0 as kept
    from unnest(p_pools, p_wanted, p_running, p_held_back) as n (pool, wanted, running, held_back)
    union all
    select g.lease_id, g.pool, g.wanted, g.running, g.held_back, greatest(g.granted, g.running)
    from docket.slot_grants g
    join docket.leases l on l.lease_id = g.lease_id and l.closed_at is null and l.deadline > v_now
    where g.lease_id <> p_lease and g.pool = any (p_pools)
  ),
  asked as (
    select r.*, l.fleet,
      least(coalesce(l.per_process, r.wanted), case when r.held_back is not null then r.running end) as most
    from reported r
    join docket.pool_limits l on l.pool = r.pool
  ),
  -- one slot to each, then a second to each, until there are no more
  turns as (
    select a.pool, a.lease_id, row_number() over (partition by a.pool order by t.turn, a.lease_id) <= a.fleet as is_shared
    from asked a
    cross join lateral generate_series(1, least(a.most, a.fleet)) as t (turn)
    where a.fleet is not null
  ),
  answers as (
    select a.pool, a.wanted, a.running, a.held_back,
      case
        when a.fleet is null then a.most
        -- its share: of what is free, and of what it has open, which takes nothing from anybody
        else least(
          (select count(*) filter (where t.is_shared) from turns t where t.pool = a.pool and t.lease_id = p_lease),
          greatest(a.running, a.fleet - (select coalesce(sum(o.kept), 0) from asked o where o.pool = a.pool))
        )
      end::integer as granted
    from asked a
    where a.lease_id = p_lease
  ),
  noted as (
    insert into docket.slot_grants as g (lease_id, pool, wanted, granted, running, held_back)
    select p_lease, n.pool, n.wanted, n.granted, n.running, n.held_back
    from answers n
    where not exists (
      select from docket.slot_grants g
      where g.lease_id = p_lease and g.pool = n.pool
        and (g.wanted, g.granted, g.running) = (n.wanted, n.granted, n.running)
        and g.held_back is not distinct from n.held_back
    )
    on conflict (lease_id, pool) do update set
      wanted = excluded.wanted,
      granted = excluded.granted,
      running = excluded.running,
      held_back = excluded.held_back,
      reported_at = clock_timestamp()
  )
  select n.pool, n.granted from answers n;
end;
$$;
comment on function docket.report_slots(uuid, text[], integer[], integer[], text[]) is
  'Tells a worker process how many slots of each pool it may have. Raises ZD040, ZD078.';
