-- That each recorded checkpoint states what was sealed at its size, under the origin of its epoch; and that the newest of each epoch
-- bears a good signature of a recorded key. One signature costs as much as thousands of hashes: verify_checkpoint checks any other.
-- Called by: verify_log. Not granted to anyone.
create or replace function docket.check_checkpoints()
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
as $$
begin
  return query
  select 'checkpoints', count(*), count(*) filter (where c.is_bad),
    (min(array[lpad(c.size::text, 19, '0'), c.origin || ' ' || c.size]) filter (where c.is_bad))[2],
    (min(array[lpad(c.size::text, 19, '0'), c.expected]) filter (where c.is_bad))[2],
    (min(array[lpad(c.size::text, 19, '0'), c.found]) filter (where c.is_bad))[2]
  from (
    select c.size, e.origin,
      (starts_with(c.note, t.expected) and c.root = s.root) is not true as is_bad,
      coalesce(t.expected, 'no seal of that size') as expected,
      case when starts_with(c.note, t.expected) then encode(c.root, 'hex') else split_part(c.note, E'\n\n', 1) end as found
    from docket_audit.checkpoints c
    left join docket_audit.epochs e on e.epoch = c.epoch
    left join docket_audit.seals s on s.size = c.size and s.epoch = c.epoch
    cross join lateral (
      select e.origin || E'\n' || s.size || E'\n' || encode(s.root, 'base64') || E'\n' as expected
    ) as t
  ) as c;

  return query
  select 'checkpoint signatures', count(*), count(*) filter (where not c.is_signed),
    (min(array[lpad(c.epoch::text, 10, '0'), c.origin || ' ' || c.size]) filter (where not c.is_signed))[2],
    case when not bool_and(c.is_signed) then 'a good signature of a recorded key' end,
    case when not bool_and(c.is_signed) then 'none' end
  from (
    select e.epoch, e.origin, c.size, docket.is_checkpoint_signed(c.note, e.origin) as is_signed
    from docket_audit.epochs e
    cross join lateral (
      select p.size, p.note from docket_audit.checkpoints p where p.epoch = e.epoch order by p.size desc limit 1
    ) as c
  ) as c;
end;
$$;
comment on function docket.check_checkpoints() is
  'Whether the recorded checkpoints state what was sealed, and the newest of each epoch is signed.';
