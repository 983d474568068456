-- A key stays with its object. It can be wrapped anew, and is destroyed only with a document that was disposed of.
create or replace function docket.tg_object_keys__are_kept()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  -- the job follows from the hash, and is not computed yet
  v_free constant text[] := array['key_id', 'wrapped_key', 'wrapped_at', 'job_id'];
begin
  if TG_OP = 'UPDATE' then
    if to_jsonb(old) - v_free = to_jsonb(new) - v_free then
      return new;
    end if;
  elsif TG_OP = 'DELETE' then
    if docket.is_disposed_by_log(old.job_id) then
      return old;
    end if;
  end if;
  raise exception 'docket.object_keys: % refused', lower(TG_OP)
    using errcode = 'ZD001', hint = 'Dispose of the document: docket.request_disposal.';
end;
$$;
comment on function docket.tg_object_keys__are_kept() is
  'Refuses every change of the key of an object but its wrapping, and its removal unless the document was disposed of (ZD001).';

create or replace trigger _200_are_kept
  before update or delete on docket.object_keys
  for each row execute function docket.tg_object_keys__are_kept();
create or replace trigger _200_never_truncated
  before truncate on docket.object_keys
  for each statement execute function docket.tg_object_keys__are_kept();
alter table docket.object_keys enable always trigger _200_are_kept;
alter table docket.object_keys enable always trigger _200_never_truncated;
comment on trigger _200_are_kept on docket.object_keys is 'A key stays with its object until the document is disposed of.';
comment on trigger _200_never_truncated on docket.object_keys is 'The table is never truncated.';
