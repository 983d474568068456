-- Who may do what with the queue. Its tables and its code belong to the door, like the functions by which docket_owner enters: those
-- call the code of the queue, and whoever could change that code could have the functions of the door run as docket_owner. So the
-- runner's login uses the tables and owns nothing.
set local role none;

-- once it owned them
do $$
begin
  if exists (select from pg_namespace n where n.nspname = 'graphile_worker' and n.nspowner = 'docket_queue'::regrole) then
    if not (select rolsuper from pg_roles where rolname = current_user) then
      execute format('grant docket_queue, docket_door to %I with inherit true', current_user);
    end if;
    reassign owned by docket_queue to docket_door;
    if not (select rolsuper from pg_roles where rolname = current_user) then
      execute format('grant docket_queue, docket_door to %I with inherit false', current_user);
    end if;
  end if;
end;
$$;

set local role docket_door;
revoke all on all functions in schema graphile_worker, docket_queue from public;
revoke all on schema graphile_worker from docket_queue;
revoke all on all tables in schema graphile_worker from docket_queue;
grant usage on schema graphile_worker to docket_queue;
grant select, insert, update, delete on all tables in schema graphile_worker to docket_queue;
revoke insert, update, delete on graphile_worker.migrations from docket_queue;
grant usage, select on all sequences in schema graphile_worker to docket_queue;
grant execute on all functions in schema graphile_worker to docket_queue;

-- the library protects its tables by row-level security without a policy
do $$
declare
  v_table regclass;
begin
  for v_table in
    select c.oid from pg_class c where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
  loop
    execute format('drop policy if exists the_runner on %s', v_table);
    execute format('create policy the_runner on %s to docket_queue using (true)', v_table);
  end loop;
end;
$$;

-- The queue table turns over fast: vacuum it often.
alter table graphile_worker._private_jobs
  set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);
