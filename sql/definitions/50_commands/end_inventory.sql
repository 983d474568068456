-- Says that a list is complete: from then on docket.object_census() goes by it.
-- Called by: docket census. Effects: inventories.
-- Errors: ZD042 no such list is being taken.
create or replace function docket.end_inventory(p_inventory_id integer)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update docket.inventories i
  set ended_at = clock_timestamp()
  where i.inventory_id = p_inventory_id and i.ended_at is null;
  if not found then
    raise exception 'no list % is being taken', p_inventory_id
      using errcode = 'ZD042', hint = 'Another one was begun meanwhile; take it again: docket census.';
  end if;
end;
$$;
comment on function docket.end_inventory(integer) is 'Says that a list of what lies in a store is complete. Raises ZD042.';
