-- Recomputes every event hash and walks the chain of every job. For auditors; works on a read-only standby.
create or replace function docket.verify_chains()
returns table (
  checked text,
  checked_count bigint,
  failed_count bigint,
  first_offender text
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  with walked as materialized (
    select e.job_id, e.seq, e.hash, e.to_state,
      e.hash is distinct from docket_audit.event_hash(
        e.job_id, e.seq, e.from_state, e.event, e.to_state, e.at, e.actor, e.reason, e.code, e.attempt, e.detail, e.prev
      ) as is_altered,
      e.seq <> row_number() over chain
        or e.prev is distinct from lag(e.hash) over chain
        or e.from_state <> coalesce(lag(e.to_state) over chain, 'none') as is_unlinked,
      (e.from_state, e.event, e.to_state) not in (
        select t.from_state, t.event, t.to_state from docket.job_transitions t
      ) as is_illegal
    from docket_audit.events e
    window chain as (partition by e.job_id order by e.seq)
  )
  select found.checked, count(*), count(*) filter (where found.is_bad),
    (array_agg(w.job_id || ' event ' || w.seq order by w.job_id, w.seq) filter (where found.is_bad))[1]
  from walked w
  cross join lateral (
    values ('event hashes', w.is_altered), ('chain links', w.is_unlinked), ('steps', w.is_illegal)
  ) as found (checked, is_bad)
  group by found.checked
  union all
  select 'job heads', count(*), count(*) filter (where bad.is_bad), min(job_id::text) filter (where bad.is_bad)
  from docket.jobs j
  full join (
    select distinct on (w.job_id) w.job_id, w.seq, w.hash, w.to_state from walked w order by w.job_id, w.seq desc
  ) as e using (job_id)
  cross join lateral (
    select (e.seq = j.seq and e.hash = j.head and e.to_state = j.state) is not true as is_bad
  ) as bad
$$;
comment on function docket.verify_chains() is
  'Recomputes event hashes, chain links, steps and job heads: what was checked, how many, how many failed, the first offender.';
