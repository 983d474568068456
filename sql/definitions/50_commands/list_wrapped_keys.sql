-- Hands out wrapped keys in order of their id, after the one named, to be wrapped by another key-encryption key.
-- Called by: operators, in batches, when a key was changed or a recovery key added. Effects: none. Errors: none.
create or replace function docket.list_wrapped_keys(
  p_except_key_id text,
  p_after uuid,
  p_limit integer
)
returns table (object_key_id uuid, key_id text, wrapped_key bytea)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select k.object_key_id, k.key_id, k.wrapped_key
  from docket.object_keys k
  where k.object_key_id > coalesce(p_after, '00000000-0000-0000-0000-000000000000')
    and k.key_id is distinct from p_except_key_id
  order by k.object_key_id
  limit least(greatest(p_limit, 1), 1000)
$$;
comment on function docket.list_wrapped_keys(text, uuid, integer) is
  'Wrapped keys of objects after a given one, but those of a key-encryption key that is named.';
