-- That each epoch but the first is what a recovery in the chain of the log itself declared, and that each recovery began one.
-- Called by: verify_log. Not granted to anyone.
create or replace function docket.check_epochs()
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
  select 'epochs', count(*), count(*) filter (where c.is_bad), 'epoch ' || min(c.epoch) filter (where c.is_bad),
    (min(array[lpad(c.epoch::text, 10, '0'), c.expected]) filter (where c.is_bad))[2],
    (min(array[lpad(c.epoch::text, 10, '0'), c.found]) filter (where c.is_bad))[2]
  from (
    select epoch, e.fact is distinct from p.fact as is_bad,
      coalesce('declared by ' || e.fact, 'not declared') as expected,
      coalesce('begun by ' || p.fact, 'no such epoch') as found
    from (
      select b.epoch,
        concat_ws(' ', b.begun_by || ':', b.reason, b.origin, 'from event', b.first_event_id, 'and leaf', b.first_size,
          'after', split_part(b.last_checkpoint, E'\n', 1), split_part(b.last_checkpoint, E'\n', 2),
          encode(docket_audit.bytes_of_base64(split_part(b.last_checkpoint, E'\n', 3)), 'hex')) as fact
      from docket_audit.epochs b
      where b.epoch > 1
    ) as p
    full join (
      select row_number() over (order by d.seq) + 1 as epoch,
        concat_ws(' ', d.actor || ':', d.reason, d.detail::json ->> 'origin', 'from event', d.detail::json ->> 'first_event_id',
          'and leaf', d.detail::json ->> 'first_size', 'after', d.detail::json #>> '{checkpoint,origin}',
          d.detail::json #>> '{checkpoint,size}', d.detail::json #>> '{checkpoint,root}') as fact
      from docket_audit.events d
      where d.job_id = '00000000-0000-0000-0000-000000000000' and d.event = 'recovery_declared'
    ) as e using (epoch)
  ) as c
$$;
comment on function docket.check_epochs() is 'Whether the epochs of the log are those that its own events declare.';
