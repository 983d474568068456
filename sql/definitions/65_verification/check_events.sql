-- What the events say of themselves and of each other, of one job or of all: that each has the hash of its bytes and is a step of
-- the state machine, that each follows on the one before it, and that docket.jobs shows the last one.
-- Planned anew for each call, since one job and all jobs are read in different ways. What is bad is looked for only where something is.
-- Called by: verify_log, verify_document. Not granted to anyone.
create or replace function docket.check_events(p_job_id uuid)
returns table (
  checked text,
  checked_count bigint,
  failed_count bigint,
  first_offender text,
  expected text,
  found text
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_all record;
begin
  select * into strict v_all from docket.events_at_a_glance(p_job_id);

  return query
  select 'event hashes', v_all.events, v_all.bad_hashes, bad.offender, bad.expected, bad.found
  from (select) as k
  left join lateral (
    select e.job_id || ' event ' || e.seq as offender, encode(e.hash, 'hex') as expected, encode(right_hash, 'hex') as found
    from docket_audit.events e
    cross join lateral (
      select docket_audit.event_hash(
        e.job_id, e.seq, e.from_state, e.event, e.to_state, e.at, e.actor, e.reason, e.code, e.attempt, e.detail, e.prev
      ) as right_hash
    ) as recomputed
    where v_all.bad_hashes > 0 and (p_job_id is null or e.job_id = p_job_id) and e.hash is distinct from right_hash
    order by e.job_id, e.seq
    limit 1
  ) as bad on true;

  return query
  select 'steps', v_all.events, v_all.bad_steps, bad.offender, bad.expected, bad.found
  from (select) as k
  left join lateral (
    select e.job_id || ' event ' || e.seq as offender, 'a step of the state machine' as expected,
      e.from_state || ' ' || e.event || ' ' || e.to_state as found
    from docket_audit.events e
    where v_all.bad_steps > 0 and (p_job_id is null or e.job_id = p_job_id) and not exists (
      select
      from docket.job_transitions t
      where t.from_state = e.from_state and t.event = e.event and t.to_state = e.to_state
    )
    order by e.job_id, e.seq
    limit 1
  ) as bad on true;

  if v_all.is_whole then
    return query
    select c.name, v_all.events, 0::bigint, null::text, null::text, null::text
    from unnest(array['chain links', 'sequence gaps']) as c (name);
  else
    return query
    with counted as (
      select count(*) as events,
        count(*) filter (where c.is_unlinked) as unlinked,
        min(array[c.job_id::text, lpad(c.seq::text, 10, '0'),
          coalesce(encode(c.hash_before, 'hex') || ' ', '') || c.state_before, coalesce(encode(c.prev, 'hex') || ' ', '') || c.from_state
        ]) filter (where c.is_unlinked) as first_unlinked,
        count(*) filter (where c.seq <> c.next_seq) as gaps,
        min(array[c.job_id::text, lpad(c.seq::text, 10, '0'), 'event ' || c.next_seq, 'event ' || c.seq])
          filter (where c.seq <> c.next_seq) as first_gap
      from (
        select w.*, w.prev is distinct from w.hash_before or w.from_state <> w.state_before as is_unlinked
        from (
          select e.job_id, e.seq, e.prev, e.from_state,
            lag(e.hash) over chain as hash_before,
            lag(e.to_state, 1, 'none') over chain as state_before,
            lag(e.seq, 1, 0) over chain + 1 as next_seq
          from docket_audit.events e
          where p_job_id is null or e.job_id = p_job_id
          window chain as (partition by e.job_id order by e.seq)
        ) as w
      ) as c
    )
    select c.name, k.events, c.failed, c.first[1] || ' event ' || c.first[2]::integer, c.first[3], c.first[4]
    from counted k
    cross join lateral (
      values ('chain links', k.unlinked, k.first_unlinked), ('sequence gaps', k.gaps, k.first_gap)
    ) as c (name, failed, first);
  end if;

  return query
  select 'job heads', k.jobs, k.failed, k.first[1], k.first[2], k.first[3]
  from (
    select count(*) as jobs, count(*) filter (where h.is_bad) as failed,
      min(array[
        h.job_id::text,
        coalesce('event ' || h.last_seq || ' ' || h.to_state || ' ' || encode(h.hash, 'hex'), 'no job'),
        coalesce('event ' || h.seq || ' ' || h.state || ' ' || encode(h.head, 'hex'), 'no job')
      ]) filter (where h.is_bad) as first
    from (
      select job_id, e.seq as last_seq, e.to_state, e.hash, j.seq, j.state, j.head,
        (e.seq = j.seq and e.hash = j.head and e.to_state = j.state) is not true as is_bad
      from (
        select distinct on (n.job_id) n.job_id, n.seq, n.to_state, n.hash
        from docket_audit.events n
        -- events about the log itself are of no job
        where (p_job_id is null or n.job_id = p_job_id) and n.job_id <> '00000000-0000-0000-0000-000000000000'
        order by n.job_id desc, n.seq desc
      ) as e
      full join (select * from docket.jobs d where p_job_id is null or d.job_id = p_job_id) as j using (job_id)
    ) as h
  ) as k;
end;
$$;
comment on function docket.check_events(uuid) is
  'Recomputes event hashes and steps, chain links, sequence gaps and job heads, of one job or (null) of all.';
