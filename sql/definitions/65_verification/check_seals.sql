-- That the seals follow each other without a gap, in their numbers, sizes, epochs and transactions.
-- Called by: verify_log. Not granted to anyone.
create or replace function docket.check_seals()
returns table (
  checked text,
  checked_count bigint,
  failed_count bigint,
  first_offender text,
  expected text,
  found text
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select 'seals', count(*), count(*) filter (where c.is_bad), 'seal ' || min(c.seal_no) filter (where c.is_bad),
    (min(array[lpad(c.seal_no::text, 19, '0'), c.expected]) filter (where c.is_bad))[2],
    (min(array[lpad(c.seal_no::text, 19, '0'), c.found]) filter (where c.is_bad))[2]
  from (
    select s.seal_no,
      (
        s.seal_no = s.seal_before + 1 and s.size = s.size_before + s.events and s.xid_from = s.xid_before and s.xid_to > s.xid_from
        and s.epoch >= s.epoch_before and (s.epoch = s.epoch_before or s.size_before = e.first_size)
      ) is not true as is_bad,
      'seal ' || s.seal_before + 1 || ' of size ' || s.size_before + s.events || ' from transaction ' || s.xid_before as expected,
      'seal ' || s.seal_no || ' of size ' || s.size || ' from transaction ' || s.xid_from as found
    from (
      select n.*, lag(n.seal_no, 1, 0::bigint) over numbered as seal_before, lag(n.size, 1, 0::bigint) over numbered as size_before,
        lag(n.epoch, 1, 1) over numbered as epoch_before,
        case when lag(n.epoch) over numbered = n.epoch then lag(n.xid_to) over numbered else '0' end as xid_before
      from docket_audit.seals n
      window numbered as (order by n.seal_no)
    ) as s
    left join docket_audit.epochs e on e.epoch = s.epoch
  ) as c
$$;
comment on function docket.check_seals() is 'Whether the seals follow each other without a gap.';
