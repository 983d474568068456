-- What the events say of themselves and of each other, of one job or of all: that each has the hash of its bytes and is a step of
-- the state machine, that each follows on the one before it, and that docket.jobs shows the last one.
-- Planned anew for each call, since one job and all jobs are read in different ways. Of what is bad only the first is kept, as an
-- array that sorts like it, so that memory stays the same however much is bad.
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
begin
  -- one level of subquery, and the hash again of what is bad only: this is what most of the time goes into
  return query
  with counted as (
    select count(*) as events,
      count(*) filter (where h.is_altered) as altered,
      min(array[h.job_id::text, lpad(h.seq::text, 10, '0'), encode(h.hash, 'hex'), encode(docket_audit.event_hash(
        h.job_id, h.seq, h.from_state, h.event, h.to_state, h.at, h.actor, h.reason, h.code, h.attempt, h.detail, h.prev
      ), 'hex')]) filter (where h.is_altered) as first_altered,
      count(*) filter (where h.is_illegal) as illegal,
      min(array[
        h.job_id::text, lpad(h.seq::text, 10, '0'), 'a step of the state machine', h.from_state || ' ' || h.event || ' ' || h.to_state
      ]) filter (where h.is_illegal) as first_illegal
    from (
      select e.*,
        e.hash is distinct from docket_audit.event_hash(
          e.job_id, e.seq, e.from_state, e.event, e.to_state, e.at, e.actor, e.reason, e.code, e.attempt, e.detail, e.prev
        ) as is_altered,
        (e.from_state, e.event, e.to_state) not in (
          select t.from_state, t.event, t.to_state from docket.job_transitions t
        ) as is_illegal
      from docket_audit.events e
      where p_job_id is null or e.job_id = p_job_id
      offset 0
    ) as h
  )
  select c.name, k.events, c.failed, c.first[1] || ' event ' || c.first[2]::integer, c.first[3], c.first[4]
  from counted k
  cross join lateral (
    values ('event hashes', k.altered, k.first_altered), ('steps', k.illegal, k.first_illegal)
  ) as c (name, failed, first);

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

  return query
  select 'job heads', k.jobs, k.failed, k.first[1], k.first[2], k.first[3]
  from (
    select count(*) as jobs,
      count(*) filter (where h.expected is distinct from h.found) as failed,
      min(array[h.job_id::text, coalesce(h.expected, 'no job'), coalesce(h.found, 'no job')])
        filter (where h.expected is distinct from h.found) as first
    from (
      select job_id,
        'event ' || e.seq || ' ' || e.to_state || ' ' || encode(e.hash, 'hex') as expected,
        'event ' || j.seq || ' ' || j.state || ' ' || encode(j.head, 'hex') as found
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
