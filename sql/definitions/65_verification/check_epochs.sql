-- That each epoch but the first was declared by an event of the chain of the log itself, and that each such event began one.
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
    select epoch, e.reason is distinct from p.reason or e.actor is distinct from p.begun_by as is_bad,
      coalesce('declared by ' || e.actor || ': ' || e.reason, 'not declared') as expected,
      coalesce('begun by ' || p.begun_by || ': ' || p.reason, 'no such epoch') as found
    from (select * from docket_audit.epochs b where b.epoch > 1) as p
    full join (
      select d.seq + 1 as epoch, d.actor, d.reason
      from docket_audit.events d
      where d.job_id = '00000000-0000-0000-0000-000000000000'
    ) as e using (epoch)
  ) as c
$$;
comment on function docket.check_epochs() is 'Whether the epochs of the log are those that its own events declare.';
