-- What is destroyed by a disposal, and by nothing else. Until its job has an event "disposed" a row here is as append-only as any,
-- for every role, the owner included; from then on it may be removed, or, where it is proof of a delivery too, emptied of what
-- tells of persons; but no more once a later delivery brought the job back. The event itself takes two persons: see
-- events__custody_takes_two.sql.
-- Arguments of the trigger: the columns that may be emptied. Without any, rows may be removed.
create or replace function docket.tg__kept_until_disposal()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_emptied text[] := coalesce(TG_ARGV[:]::text[], '{}');
  v_old jsonb;
  v_new jsonb;
begin
  if TG_LEVEL = 'ROW' and docket.is_disposed_by_log(OLD.job_id) then
    if TG_OP = 'DELETE' and v_emptied = '{}' then
      return OLD;
    end if;
    if TG_OP = 'UPDATE' and v_emptied <> '{}' then
      v_old := to_jsonb(OLD);
      v_new := to_jsonb(NEW);
      -- a generated job_id is not there yet
      if coalesce(NEW.job_id, OLD.job_id) = OLD.job_id
        and v_new - 'job_id' - v_emptied = v_old - 'job_id' - v_emptied
        and not exists (
          select from jsonb_each(v_new) as c (name, value)
          where c.name = any (v_emptied) and c.value not in ('null', '{}', '""') and c.value <> v_old -> c.name
        )
      then
        return NEW;
      end if;
    end if;
  end if;
  raise exception '%.% is append-only: % refused', TG_TABLE_SCHEMA, TG_TABLE_NAME, lower(TG_OP)
    using errcode = 'ZD001', hint = 'Record a new fact instead. Only a disposal, asked for by one and approved by another, destroys it.';
end;
$$;
comment on function docket.tg__kept_until_disposal() is
  'Refuses every change (ZD001), but the erasure of a document that was disposed of.';

do $$
declare
  v_guarded record;
begin
  for v_guarded in
    select * from (values
      ('docket.pages', ''),
      ('docket.job_salts', ''),
      ('docket.signatures', ''),
      ('docket.deliveries', '''signer'', ''envelope'''),
      ('docket.evidence', '''signer'', ''envelope'''),
      ('docket.amendments', '''note''')
    ) as g (name, emptied)
  loop
    execute format(
      'create or replace trigger _200_append_only before update or delete on %s
         for each row execute function docket.tg__kept_until_disposal(%s)', v_guarded.name, v_guarded.emptied);
    execute format(
      'create or replace trigger _200_never_truncated before truncate on %s
         for each statement execute function docket.tg__kept_until_disposal()', v_guarded.name);
    execute format('alter table %s enable always trigger _200_append_only', v_guarded.name);
    execute format('alter table %s enable always trigger _200_never_truncated', v_guarded.name);
    execute format('comment on trigger _200_append_only on %s is %L', v_guarded.name,
      'Rows are changed or removed by a disposal alone.');
    execute format('comment on trigger _200_never_truncated on %s is %L', v_guarded.name, 'The table is never truncated.');
  end loop;
end;
$$;
