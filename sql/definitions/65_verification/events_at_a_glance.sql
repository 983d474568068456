-- How many events there are of one job or of all, how many of them fail by themselves, and whether their chains are whole, without
-- looking for where they are not. The table is read as it lies, once, and an index in order, once: what the events say of the ones
-- before them, and what those are, are two collections of the same rows, and each is added up as hashes by a key drawn for this call,
-- which nobody could know when he changed the log. So nothing is sorted.
-- Planned anew for each call, since one job and all jobs are read in different ways.
-- Called by: check_events. Not granted to anyone.
create or replace function docket.events_at_a_glance(p_job_id uuid)
returns table (
  events bigint,
  bad_hashes bigint,
  bad_steps bigint,
  is_whole boolean
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_key bigint := hashtextextended(gen_random_uuid()::text, 0);
begin
  return query
  select told.events, told.bad_hashes, told.bad_steps, before.gaps = 0 and told.sum is not distinct from before.sum
  from (
    select count(*) as events,
      count(*) filter (
        where e.hash is distinct from docket_audit.event_hash(
          e.job_id, e.seq, e.from_state, e.event, e.to_state, e.at, e.actor, e.reason, e.code, e.attempt, e.detail, e.prev
        )
      ) as bad_hashes,
      count(*) filter (
        where (
          (e.from_state, e.event, e.to_state) in (select t.from_state, t.event, t.to_state from docket.job_transitions t)
        ) is not true
      ) as bad_steps,
      sum(hash_record_extended(row(e.job_id, e.seq, e.prev, e.from_state), v_key)) as sum
    from docket_audit.events e
    where p_job_id is null or e.job_id = p_job_id
  ) as told
  cross join (
    select count(*) filter (where b.seq <> b.next_seq) as gaps,
      sum(hash_record_extended(row(b.job_id, b.seq, b.hash_before, b.state_before), v_key)) as sum
    from (
      select i.job_id, i.seq,
        lag(i.hash) over chain as hash_before,
        lag(i.to_state, 1, 'none') over chain as state_before,
        lag(i.seq, 1, 0) over chain + 1 as next_seq
      from docket_audit.events i
      where p_job_id is null or i.job_id = p_job_id
      window chain as (partition by i.job_id order by i.seq)
    ) as b
  ) as before;
end;
$$;
comment on function docket.events_at_a_glance(uuid) is
  'How many events there are, how many have another hash or are no step, and whether those of each job follow each other without a gap.';
