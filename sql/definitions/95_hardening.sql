-- Hardening of the database as a whole. Each step is tried by itself; docket.hardening_gaps() lists what is not in force.
set local role none;

do $$
begin
  execute format('revoke temporary, create on database %I from public', current_database());
  execute format('revoke connect on database %I from public', current_database());
  execute format(
    'grant connect on database %I to docket_app, docket_queue, docket_worker, docket_operator, docket_evidence_owner, docket_auditor,
       docket_analyst, docket_gateway',
    current_database()
  );
  execute format('revoke create on database %I from docket_door', current_database());
end;
$$;

do $$
begin
  revoke create on schema public from public;
exception
  when insufficient_privilege then null;
end;
$$;

do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select p.oid::regprocedure from pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace and p.proname ~ '^(lo(_|read|write)|pg_(try_)?advisory_)'
  loop
    execute format('revoke execute on function %s from public', v_function);
    -- whoever migrates locks, and so do the functions of docket_owner
    continue when v_function::text not like '%advisory%';
    execute format(
      'grant execute on function %s to docket_owner, %s', v_function,
      (select d.datdba::regrole from pg_database d where d.datname = current_database())
    );
  end loop;
exception
  when insufficient_privilege then null;
end;
$$;

do $$
begin
  revoke usage on language sql, plpgsql from public;
  -- The owner of the database too, who may be the one to migrate next time.
  execute format(
    'grant usage on language sql, plpgsql to docket_owner, docket_door, %s',
    (select d.datdba::regrole from pg_database d where d.datname = current_database())
  );
exception
  when insufficient_privilege then null;
end;
$$;

set local role docket_owner;
