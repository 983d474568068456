-- The hashes of a level of tiles that lie beyond the last complete tile of a tree of some size: fewer than 256, from the left.
-- Called by: tree_root, tree_path. Not granted to anyone.
create or replace function docket.right_edge(
  p_level integer,
  p_size bigint
)
returns bytea
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_end bigint := p_size >> 8 * p_level;
  v_tile bigint := v_end >> 8;
  v_count integer := v_end & 255;
  v_hashes bytea;
begin
  if v_count = 0 then
    return '';
  end if;
  select substring(t.hashes for v_count * 32)
  into v_hashes
  from docket_audit.tiles t
  where t.tile_level = p_level and t.tile_no = v_tile;
  if found then
    return v_hashes;
  end if;
  if p_level = 0 then
    return substring(docket.last_leaves((docket.tree_size() & 255)::integer, null) for v_count * 32);
  end if;
  return (
    select string_agg(t.root, '' order by t.tile_no)
    from docket_audit.tiles t
    where t.tile_level = p_level - 1 and t.tile_no >= v_tile << 8 and t.tile_no < v_end
  );
end;
$$;
comment on function docket.right_edge(integer, bigint) is
  'Hashes of a level of tiles beyond the last complete tile of a tree of some size.';
