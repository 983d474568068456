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
  with walked as (
    select e.job_id, e.seq, e.prev, e.hash, e.from_state, e.to_state,
      lag(e.hash) over chain as previous_hash,
      lag(e.to_state) over chain as previous_state,
      row_number() over chain as place,
      docket_audit.event_hash(
        e.job_id, e.seq, e.from_state, e.event, e.to_state, e.at, e.actor, e.reason, e.code, e.attempt, e.detail, e.prev
      ) as recomputed
    from docket_audit.events e
    window chain as (partition by e.job_id order by e.seq)
  )
  select 'event hashes', count(*), count(*) filter (where w.hash <> w.recomputed),
    min(w.job_id || ' event ' || w.seq) filter (where w.hash <> w.recomputed)
  from walked w
  union all
  select 'chain links', count(*), count(*) filter (where bad.is_bad),
    min(w.job_id || ' event ' || w.seq) filter (where bad.is_bad)
  from walked w
  cross join lateral (
    select w.seq <> w.place
      or w.prev is distinct from w.previous_hash
      or w.from_state <> coalesce(w.previous_state, 'none') as is_bad
  ) as bad
  union all
  select 'job heads', count(*), count(*) filter (where bad.is_bad), min(j.job_id::text) filter (where bad.is_bad)
  from docket.jobs j
  left join lateral (
    select e.* from docket_audit.events e where e.job_id = j.job_id order by e.seq desc limit 1
  ) as e on true
  cross join lateral (
    select (e.seq = j.seq and e.hash = j.head and e.to_state = j.state) is not true as is_bad
  ) as bad
$$;
comment on function docket.verify_chains() is
  'Recomputes event hashes, chain links and job heads: what was checked, how many, how many failed, the first offender.';
