-- The key-encryption keys without which some sealed object could not be read.
-- Called by: every worker at its start, which refuses to begin without one of them. Effects: none. Errors: none.
create or replace function docket.used_key_ids()
returns table (key_id text, object_count bigint)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select k.key_id, count(*) from docket.object_keys k group by k.key_id order by k.key_id
$$;
comment on function docket.used_key_ids() is 'The key-encryption keys that wrap keys of objects, and how many.';
