-- The pools of slots: what they may have at most, and what living processes have of them.
create or replace view docket_api.pools
with (security_barrier)
as
select
  p.pool,
  p.per_process,
  p.fleet,
  count(g.lease_id)::integer as processes,
  coalesce(sum(g.granted), 0)::integer as granted,
  coalesce(sum(g.running), 0)::integer as running,
  count(g.held_back)::integer as held_back,
  p.meaning
from docket.pool_limits p
left join (
  docket.slot_grants g
  join docket.leases l on l.lease_id = g.lease_id and l.closed_at is null and l.deadline > clock_timestamp()
) on g.pool = p.pool
group by p.pool;
comment on view docket_api.pools is
  $$Pools of slots that work is done in.
@primaryKey pool$$;
comment on column docket_api.pools.pool is
  $$Name of the pool.
@notNull$$;
comment on column docket_api.pools.per_process is
  $$Most slots of each process; null: as it is configured.
@behavior -filterBy -orderBy$$;
comment on column docket_api.pools.fleet is
  $$Most slots of all processes together; null: the sum of theirs.
@behavior -filterBy -orderBy$$;
comment on column docket_api.pools.processes is
  $$Living worker processes that share it.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.pools.granted is
  $$Slots that they may use.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.pools.running is
  $$Slots that they had in use when they last reported.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.pools.held_back is
  $$How many of them take no more work of it by themselves, such as for want of memory.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.pools.meaning is
  $$Work that it does.
@notNull
@behavior -filterBy -orderBy$$;
