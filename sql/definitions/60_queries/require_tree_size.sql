-- Refuses a size that the tree has not reached.
-- Called by: whatever reads the tree. Not granted to anyone. Errors: ZD055.
create or replace function docket.require_tree_size(p_size bigint)
returns void
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_size bigint := docket.tree_size();
begin
  if (p_size between 0 and v_size) is not true then
    raise exception 'size: the tree has % leaves, not %', v_size, coalesce(p_size::text, 'null')
      using errcode = 'ZD055', hint = 'Wait for the next seal, or ask for a size that there is.';
  end if;
end;
$$;
comment on function docket.require_tree_size(bigint) is 'Refuses a size that the tree has not reached. Raises ZD055.';
