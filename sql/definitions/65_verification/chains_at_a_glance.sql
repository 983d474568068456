-- Whether the chains of all jobs are whole, without looking for where they are not: what the events say of the ones before them, and
-- what those are, are two collections of the same rows. One is read from the table as it lies, the other from an index in order, and
-- each is added up as hashes by a key drawn for this call, which nobody could know when he changed the log. So nothing is sorted.
-- Called by: check_events. Not granted to anyone.
create or replace function docket.chains_at_a_glance()
returns table (
  events bigint,
  is_whole boolean
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_key bigint := hashtextextended(gen_random_uuid()::text, 0);
begin
  return query
  select before.events, before.gaps = 0 and told.sum is not distinct from before.sum
  from (
    select sum(hash_record_extended(row(e.job_id, e.seq, e.prev, e.from_state), v_key)) as sum
    from docket_audit.events e
  ) as told
  cross join (
    select count(*) as events, count(*) filter (where b.seq <> b.next_seq) as gaps,
      sum(hash_record_extended(row(b.job_id, b.seq, b.hash_before, b.state_before), v_key)) as sum
    from (
      select i.job_id, i.seq,
        lag(i.hash) over chain as hash_before,
        lag(i.to_state, 1, 'none') over chain as state_before,
        lag(i.seq, 1, 0) over chain + 1 as next_seq
      from docket_audit.events i
      window chain as (partition by i.job_id order by i.seq)
    ) as b
  ) as before;
end;
$$;
comment on function docket.chains_at_a_glance() is
  'How many events there are, and whether those of each job follow each other without a gap.';
