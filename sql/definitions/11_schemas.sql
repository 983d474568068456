-- Schemas by audience. Each has one owner; nobody else may create in them.
set local role none;

-- The migrations of graphile-worker ask for this right before they look whether their schema is there; taken back at the end.
do $$
begin
  execute format('grant create on database %I to docket_door', current_database());
end;
$$;

create schema if not exists docket authorization docket_owner;
create schema if not exists docket_audit authorization docket_owner;
create schema if not exists docket_api authorization docket_owner;
create schema if not exists docket_queue authorization docket_door;
create schema if not exists graphile_worker authorization docket_door;

set local role docket_owner;
comment on schema docket is 'Tables, commands and verification functions of Docket.';
comment on schema docket_audit is 'The append-only audit log.';
comment on schema docket_api is 'What analysts and GraphQL may see.';

set local role docket_door;
comment on schema docket_queue is 'The only door between Docket and the task queue.';
