-- Who exists. Roles belong to the cluster, so this file only ever adds.
-- Runs as the installing login, which needs CREATEROLE and must own the database; a superuser is not needed.
set local role none;

do $$
declare
  v_role record;
begin
  for v_role in
    select *
    from (values
      ('docket_owner', 'nologin', 'owns every object of Docket but the queue; nobody logs in as it'),
      ('docket_queue', 'login', 'the task runner connects as it: uses the tables of the queue and owns nothing'),
      ('docket_door', 'nologin', 'owns the queue, its code and the door to it, and nothing of Docket; nobody logs in as it'),
      ('docket_worker', 'login', 'executes worker commands and touches no table'),
      ('docket_app', 'nologin', 'group of the logins that deliver scans'),
      ('docket_operator', 'nologin', 'group of operators: sources and admission'),
      ('docket_evidence_owner', 'nologin', 'group of those who answer for quarantined evidence'),
      ('docket_auditor', 'nologin', 'group of auditors: reads everything, changes nothing'),
      ('docket_reader', 'nologin', 'may read originals and unredacted text; every read is an event'),
      ('docket_analyst', 'nologin', 'group of analysts: sees the redacted api only'),
      ('docket_gateway', 'login', 'the GraphQL server connects as it; takes the place of people, and reads sums of ages')
    ) as wanted (name, login, duty)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_role.name) then
      execute format('create role %I %s noinherit', v_role.name, v_role.login);
      execute format('comment on role %I is %L', v_role.name, v_role.duty);
    end if;
  end loop;
end;
$$;

-- The gateway takes the place of whoever bears the token of a request; without one it may do nothing.
grant docket_app, docket_analyst, docket_operator, docket_evidence_owner, docket_auditor to docket_gateway with inherit false, set true;

-- Who may read what is masked.
grant docket_reader to docket_evidence_owner, docket_auditor with inherit true, set false;

-- The installing login acts as the owners while it migrates. A superuser can anyway.
do $$
begin
  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    execute format('grant docket_owner, docket_queue, docket_door, docket_worker to %I with inherit false, set true', current_user);
    execute format('grant docket_auditor, docket_operator to %I with inherit true, set true', current_user);
  end if;
end;
$$;
