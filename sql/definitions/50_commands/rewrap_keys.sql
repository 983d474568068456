-- Replaces wrapped keys by the same keys, wrapped by another key-encryption key. The objects stay as they are.
-- Called by: operators. Effects: object_keys. Errors: ZD038 the name of a key or a wrapped key is malformed.
-- Keys that were destroyed meanwhile are absent from the answer.
create or replace function docket.rewrap_keys(
  p_object_keys uuid[],
  p_wrapped bytea[],
  p_key_id text
)
returns table (object_key_id uuid)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  -- check
  if coalesce(p_key_id, '') !~ '^[A-Za-z0-9:/._-]{1,255}$'
    or exists (select from unnest(p_wrapped) as n (wrapped) where coalesce(octet_length(n.wrapped), 0) not between 1 and 8192)
  then
    raise exception 'key_id or wrapped_key: is malformed'
      using errcode = 'ZD038', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD038');
  end if;

  -- lock, record
  return query
  update docket.object_keys k
  set wrapped_key = n.wrapped, key_id = p_key_id, wrapped_at = clock_timestamp()
  from unnest(p_object_keys, p_wrapped) as n (object_key_id, wrapped)
  where k.object_key_id = n.object_key_id
  returning k.object_key_id;
end;
$$;
comment on function docket.rewrap_keys(uuid[], bytea[], text) is
  'Replaces wrapped keys of objects by the same keys, wrapped by another key. Raises ZD038.';
