-- That the hashes of one tile of the Merkle log above its leaves, those half way up and the root over them, are what they must be.
-- Called by: check_tree. Not granted to anyone.
create or replace function docket.check_tile(
  p_level integer,
  p_tile_no bigint,
  p_hashes bytea
)
returns table (
  checked text,
  checked_count bigint,
  failed_count bigint,
  first_offender text,
  expected text,
  found text
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select 'tiles', 1, c.is_bad::integer,
    case when c.is_bad then 'tile ' || p_tile_no || ' of level ' || p_level end,
    case
      when c.is_bad then coalesce(
        encode(
          case
            when t.root <> r.root then t.root
            when t.middle <> r.middle then docket_audit.merkle_root(t.middle)
            else docket_audit.merkle_root(t.hashes)
          end,
          'hex'
        ),
        'a tile'
      )
    end,
    case when c.is_bad then encode(r.root, 'hex') end
  from (
    select m.middle, docket_audit.merkle_root(m.middle) as root
    from (select docket_audit.merkle_ancestors(p_hashes, 4) as middle offset 0) as m
  ) as r
  left join docket_audit.tiles t on t.tile_level = p_level and t.tile_no = p_tile_no
  cross join lateral (select (t.hashes = p_hashes and t.middle = r.middle and t.root = r.root) is not true as is_bad) as c
$$;
comment on function docket.check_tile(integer, bigint, bytea) is 'Whether a tile above the leaves holds these hashes and their root.';
