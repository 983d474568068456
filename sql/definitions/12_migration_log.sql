-- Which migration files were applied, with their checksums. Written by the migrating transaction only.
set local role docket_owner;

create table if not exists docket.migrations (
  name text not null,
  sha256 text not null,
  applied_at timestamptz not null default clock_timestamp(),
  applied_by name not null default session_user,
  constraint migrations_pk primary key (name)
);
comment on table docket.migrations is 'Migration files that were applied, each with the SHA-256 of its bytes.';
comment on column docket.migrations.name is 'File name under sql/migrations.';
comment on column docket.migrations.sha256 is 'SHA-256 of the file as lower-case hex.';
comment on column docket.migrations.applied_at is 'When it was applied.';
comment on column docket.migrations.applied_by is 'Login that applied it.';

create table if not exists docket.replays (
  replay_id bigint not null generated always as identity,
  sha256 text not null,
  replayed_at timestamptz not null default clock_timestamp(),
  replayed_by name not null default session_user,
  constraint replays_pk primary key (replay_id)
);
comment on table docket.replays is 'Each time that all SQL was applied, with one checksum of it.';
comment on column docket.replays.replay_id is 'Number of the replay.';
comment on column docket.replays.sha256 is 'SHA-256 over names and checksums of all files, as lower-case hex.';
comment on column docket.replays.replayed_at is 'When it was applied.';
comment on column docket.replays.replayed_by is 'Login that applied it.';

-- Whether a migration file must run now; refuses a file that changed after it was applied.
create or replace function docket.migration_is_due(
  p_name text,
  p_sha256 text
)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_applied text;
begin
  select m.sha256 into v_applied from docket.migrations m where m.name = p_name;
  if not found then
    return true;
  end if;
  if v_applied <> p_sha256 then
    raise exception 'migration "%" was edited after it was applied', p_name
      using errcode = 'ZD050',
            detail = format('applied sha256 %s, file sha256 %s', v_applied, p_sha256),
            hint = 'Restore the file from version control and put the change into a new migration.';
  end if;
  return false;
end;
$$;
comment on function docket.migration_is_due(text, text) is
  'True when the named migration was not applied yet; raises ZD050 when its checksum differs from the applied one.';
