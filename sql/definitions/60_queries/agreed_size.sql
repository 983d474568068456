-- Up to how many leaves what was published of an epoch is what the next one goes on with, as the event says that declared the next one;
-- what was published beyond is lost, whatever stands there now. Null for the present epoch.
-- Called by: verify_checkpoint; whoever looks at checkpoints outside. Granted to auditors.
create or replace function docket.agreed_size(p_epoch integer)
returns bigint
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  -- the log itself is no document; the first recovery in its chain declares the second epoch
  select (e.detail::json ->> 'agreed_size')::bigint
  from docket_audit.events e
  where e.job_id = '00000000-0000-0000-0000-000000000000' and e.event = 'recovery_declared'
  order by e.seq
  offset p_epoch - 1
  limit 1
$$;
comment on function docket.agreed_size(integer) is
  'Leaves of an epoch up to which what was published is what the next one goes on with; null for the present one.';
