-- Adds objects to a list that is being taken, and says how many it has now. What a store lists twice counts once.
-- Called by: docket census, in batches. Effects: inventories, inventory_objects.
-- Errors: ZD042 no such list is being taken.
create or replace function docket.add_inventory_objects(
  p_inventory_id integer,
  p_locators text[],
  p_versions text[],
  p_sizes_bytes bigint[],
  p_stored_at timestamptz[]
)
returns table (object_count bigint)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_added bigint;
begin
  -- lock
  perform from docket.inventories i where i.inventory_id = p_inventory_id and i.ended_at is null for update;
  if not found then
    raise exception 'no list % is being taken', p_inventory_id
      using errcode = 'ZD042', hint = 'Another one was begun meanwhile; take it again: docket census.';
  end if;

  -- record
  insert into docket.inventory_objects (inventory_id, locator, version, size_bytes, stored_at)
  select p_inventory_id, n.locator, n.version, n.size_bytes, n.stored_at
  from unnest(p_locators, p_versions, p_sizes_bytes, p_stored_at) as n (locator, version, size_bytes, stored_at)
  on conflict (inventory_id, locator, version) do nothing;
  get diagnostics v_added = row_count;

  return query
  update docket.inventories i
  set object_count = i.object_count + v_added
  where i.inventory_id = p_inventory_id
  returning i.object_count;
end;
$$;
comment on function docket.add_inventory_objects(integer, text[], text[], bigint[], timestamptz[]) is
  'Adds objects to a list that is being taken. Raises ZD042.';
