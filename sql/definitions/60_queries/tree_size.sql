-- How many leaves the log has.
-- Called by: whatever reads the tree. Not granted to anyone.
create or replace function docket.tree_size()
returns bigint
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select coalesce((select s.size from docket_audit.seals s order by s.seal_no desc limit 1), 0)
$$;
comment on function docket.tree_size() is 'Leaves of the Merkle log.';
