-- Begins a list of what lies in an object store. Older lists but the newest complete one make room for it.
-- Called by: docket census. Effects: inventories, inventory_objects.
create or replace function docket.begin_inventory(p_store text)
returns table (inventory_id integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  -- lock
  lock table docket.inventories in share row exclusive mode;

  -- record
  delete from docket.inventory_objects o
  where o.inventory_id is distinct from (
    select i.inventory_id from docket.inventories i where i.ended_at is not null order by i.inventory_id desc limit 1
  );
  delete from docket.inventories i
  where i.inventory_id is distinct from (
    select k.inventory_id from docket.inventories k where k.ended_at is not null order by k.inventory_id desc limit 1
  );
  return query
  insert into docket.inventories as i (store, taken_by)
  values (p_store, docket.actor())
  returning i.inventory_id;
end;
$$;
comment on function docket.begin_inventory(text) is 'Begins a list of what lies in an object store.';
