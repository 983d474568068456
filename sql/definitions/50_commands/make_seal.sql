-- Makes leaves of the events of the newest epoch that were recorded by transactions before one and are not sealed yet, in the order of
-- transaction and number; of those numbered before p_end_event_id, where it is not null. Returns how many there are; none make no seal.
-- Tiles that became complete are kept, with the root of each, which is a hash of the level above.
-- Called by: seal_events, declare_recovery, which hold the duty. Not granted to anyone. Effects: seals; tiles.
create or replace function docket.make_seal(
  p_xid_to xid8,
  p_end_event_id bigint
)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
  v_head record;
  v_leaves bytea;
  v_events integer;
  v_first_tile bigint;
  v_tiles integer;
  v_middles bytea;
  v_roots bytea;
  v_level integer := 1;
  v_tree record;
  v_rest record;
begin
  -- check
  select * into strict v_head from docket.log_head();
  select coalesce(string_agg(l.hash, ''), '')
  into v_leaves
  from (
    select e.hash
    from docket_audit.events e
    where e.xid >= v_head.xid_to and e.xid < p_xid_to and e.event_id >= v_head.first_event_id
      and e.event_id < coalesce(p_end_event_id, 9223372036854775807)
    order by e.xid, e.event_id
  ) as l;
  v_events := octet_length(v_leaves) / 32;
  if v_events = 0 then
    return 0;
  end if;

  -- record
  v_first_tile := v_head.size >> 8;
  v_tiles := ((v_head.size & 255) + v_events) >> 8;
  if v_tiles = 0 then
    select * into v_tree from docket_audit.merkle_append(v_head.size, v_head.peaks, v_leaves);
  else
    v_leaves := docket.last_leaves((v_head.size & 255)::integer, p_end_event_id) || v_leaves;
    v_middles := docket_audit.merkle_ancestors(substring(v_leaves for v_tiles * 8192), 4);
    v_roots := docket_audit.merkle_ancestors(v_middles, 4);
    insert into docket_audit.tiles (tile_level, tile_no, root, middle, hashes)
    select 0, v_first_tile + n, substring(v_roots from n * 32 + 1 for 32), substring(v_middles from n * 512 + 1 for 512),
      substring(v_leaves from n * 8192 + 1 for 8192)
    from generate_series(0, v_tiles - 1) as n;
    while v_first_tile >> 8 * v_level < (v_first_tile + v_tiles) >> 8 * v_level loop
      insert into docket_audit.tiles (tile_level, tile_no, root, middle, hashes)
      select v_level, n, docket_audit.merkle_root(half.middle), half.middle, below.hashes
      from generate_series(v_first_tile >> 8 * v_level, ((v_first_tile + v_tiles) >> 8 * v_level) - 1) as n
      cross join lateral (
        select string_agg(t.root, '' order by t.tile_no) as hashes
        from docket_audit.tiles t
        where t.tile_level = v_level - 1 and t.tile_no >= n << 8 and t.tile_no < (n + 1) << 8
      ) as below
      cross join lateral (select docket_audit.merkle_ancestors(below.hashes, 4) as middle offset 0) as half;
      v_level := v_level + 1;
    end loop;
    -- the tree is that of the complete tiles, and what is left beyond them
    select * into v_tree
    from docket_audit.merkle_append(
      v_first_tile, substring(v_head.peaks for (32 * bit_count(int8send(v_first_tile)))::integer), v_roots
    );
    select * into v_rest from docket_audit.merkle_append(0, '', substring(v_leaves from v_tiles * 8192 + 1));
    v_tree.size := (v_tree.size << 8) + v_rest.size;
    v_tree.peaks := v_tree.peaks || v_rest.peaks;
  end if;
  insert into docket_audit.seals (seal_no, epoch, xid_from, xid_to, events, size, peaks, root)
  values (
    v_head.seal_no + 1, v_head.epoch, v_head.xid_to, p_xid_to, v_events, v_tree.size, v_tree.peaks,
    docket_audit.merkle_bag(v_tree.peaks)
  );
  return v_events;
end;
$$;
comment on function docket.make_seal(xid8, bigint) is
  'Makes leaves of the events recorded by transactions before one and not sealed yet, and returns how many.';
