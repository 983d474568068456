-- The way up in the tree of some size, from the node on a level that holds a leaf: first the node itself, then the sibling of each node
-- on the way, where it has one. All proofs are parts of it.
-- Called by: inclusion_proof, consistency_proof, which have checked the size. Not granted to anyone.
create or replace function docket.tree_path(
  p_index bigint,
  p_size bigint,
  p_level integer
)
returns bytea[]
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_path bytea[] := '{}';
  v_row bytea;
  v_middle bytea;
  v_rest bytea := '';
  v_place integer;
  v_tile bigint;
  v_tiles bigint;
  -- what was sealed at this very size knows the roots of all that lies beyond complete tiles
  v_peaks bytea := (select s.peaks from docket_audit.seals s where s.size = p_size);
  v_beyond bigint;
begin
  for v_base in 0..7 loop
    v_tile := p_index >> 8 * v_base + 8;
    v_tiles := p_size >> 8 * v_base + 8;
    -- what lies beyond the complete tiles of a level is one subtree, and the last hash of the level above
    if v_peaks is null or v_tile >= v_tiles then
      v_rest := docket.right_edge(v_base, p_size) || v_rest;
    end if;
    if p_level < 8 * v_base + 8 then
      v_row := v_rest;
      v_place := (p_index >> 8 * v_base) & 255;
      -- of a complete tile, the 16 hashes around this one, and the 16 half way up
      if v_tile < v_tiles then
        select t.middle, substring(t.hashes from (v_place & 240) * 32 + 1 for 512)
        into strict v_middle, v_row
        from docket_audit.tiles t
        where t.tile_level = v_base and t.tile_no = v_tile;
        v_place := v_place & 15;
      end if;
      for v_level in 8 * v_base..8 * v_base + 7 loop
        if v_level = 8 * v_base + 4 and v_tile < v_tiles then
          v_row := v_middle;
          v_place := (p_index >> v_level) & 15;
        end if;
        if v_level = p_level then
          v_path := array[substring(v_row from v_place * 32 + 1 for 32)];
        end if;
        exit when octet_length(v_row) <= 32;
        if v_level >= p_level and octet_length(v_row) > (v_place # 1) * 32 then
          v_path := v_path || substring(v_row from (v_place # 1) * 32 + 1 for 32);
        end if;
        v_row := docket_audit.merkle_parents(v_row) || substring(v_row from (octet_length(v_row) >> 6 << 6) + 1);
        v_place := v_place >> 1;
      end loop;
    end if;
    exit when v_tiles = 0;
    v_beyond := p_size & ((1::bigint << 8 * v_base + 8) - 1);
    if v_beyond > 0 and v_peaks is not null then
      v_rest := docket_audit.merkle_bag(
        substring(v_peaks from (octet_length(v_peaks) - 32 * bit_count(int8send(v_beyond)) + 1)::integer)
      );
    elsif v_beyond > 0 then
      v_rest := docket_audit.merkle_root(v_rest);
    end if;
  end loop;
  return v_path;
end;
$$;
comment on function docket.tree_path(bigint, bigint, integer) is
  'A node of the Merkle log at some size and the siblings on the way up from it.';
