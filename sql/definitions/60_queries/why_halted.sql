-- What keeps work of some pools, or any work, from being done: no worker, a pool without slots, a host that holds back, something down.
-- Called by: what_holds, why_source and watched. Not granted to anyone.
create or replace function docket.why_halted(
  p_pools text[],
  p_dependencies text[]
)
returns table (cause text, fact text, since timestamptz, would_help text, next_command text)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  with live as (
    select l.lease_id, l.host || '/' || l.pid as worker
    from docket.leases l
    where l.closed_at is null and l.deadline > clock_timestamp()
  ),
  -- a process that has not reported yet has what it asks for
  slots as (
    select p.pool, p.per_process, p.fleet, sum(g.granted) as granted, count(g.lease_id) as processes, max(g.reported_at) as reported_at
    from docket.pool_limits p
    left join docket.slot_grants g on g.pool = p.pool and g.lease_id in (select l.lease_id from live l)
    where p.pool = any (p_pools)
    group by p.pool
  )
  select 'worker', 'No worker process is at work.',
    (select max(coalesce(l.closed_at, l.deadline)) from docket.leases l),
    'Start one.', 'docket worker'
  where not exists (select from live)
  union all
  -- work that several pools do halts when none of them has a slot
  select 'pool', format('No process has a slot in the pool %s.', string_agg(s.pool, ' or ' order by s.pool)),
    max(coalesce(c.changed_at, s.reported_at)),
    case
      when bool_or(least(s.per_process, s.fleet) = 0) then 'Give it slots again.'
      else 'A worker process that is configured to have slots of it.'
    end,
    coalesce(
      'docket undo ' || max(c.change_id) filter (where least(s.per_process, s.fleet) = 0) || ' --reason ''...''',
      'docket pool list'
    )
  from slots s
  left join docket.control_states c on c.control = 'pool' and c.target = s.pool
  where exists (select from live)
  having bool_and(s.granted = 0 and s.processes > 0 or least(s.per_process, s.fleet) = 0)
  union all
  select 'held_back', format('The worker %s takes no new work of the pool %s: %s.', l.worker, g.pool, g.held_back), g.reported_at,
    case g.held_back when 'memory' then 'Free memory on its host, or another host.' else 'See the log of the worker.' end,
    'docket pool list'
  from docket.slot_grants g
  join live l on l.lease_id = g.lease_id
  where g.pool = any (p_pools) and g.held_back is not null
  union all
  select 'outage', format('%s is down on the host %s: %s, %s', b.dependency, b.host, b.last_code, coalesce(b.last_message, 'no more is known')),
    b.opened_at, f.remedy || format(' It is tried again by itself at %s.', docket.iso_time(b.probe_at)), 'docket status'
  from docket.breaker_states b
  join docket.failure_codes f on f.code = b.last_code
  where b.state <> 'closed' and b.dependency = any (p_dependencies)
$$;
comment on function docket.why_halted(text[], text[]) is 'What keeps work of some pools from being done.';
