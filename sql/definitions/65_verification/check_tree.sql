-- That the events are the leaves of the Merkle log as it was sealed: all events of sealed transactions are read in the order in which
-- they were sealed, the tree over them is computed anew, and what was kept of it is compared. That is done for 65,536 leaves at a time,
-- which make one tile of level 1, so that memory does not grow with the log; each time answers rows of its own, which verify_log adds up.
-- Called by: verify_log. Not granted to anyone.
create or replace function docket.check_tree()
returns table (
  checked text,
  checked_count bigint,
  failed_count bigint,
  first_offender text,
  expected text,
  found text
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_size bigint := coalesce((select max(s.size) from docket_audit.seals s), 0);
  v_last_epoch integer := (select max(e.epoch) from docket_audit.epochs e);
  -- after a restore it says nothing until the recovery is declared
  v_next_xid xid8 := (select pg_snapshot_xmax(pg_current_snapshot()) from docket.log_head() as h where not h.needs_recovery);
  v_epoch integer := 1;
  v_xid xid8 := '0';
  v_event_id bigint := -1;
  -- how many leaves come before those that are looked at, and the peaks of the tree over one root for each 65,536 of them
  v_at bigint := 0;
  v_peaks bytea := '';
  v_next_peaks bytea;
  -- those that are looked at, a key for each, and the levels of the tree over them, from the leaves up
  v_leaves bytea;
  v_keys bytea;
  v_levels bytea[];
  v_end bigint := 0;
  v_more record;
  -- the roots of all tiles of level 1, and of the levels above
  v_roots bytea := '';
begin
  return query
  select c.name, 0::bigint, 0::bigint, null::text, null::text, null::text
  from unnest(array['sealed events', 'seal roots', 'tiles']) as c (name);

  loop
    v_leaves := '';
    v_keys := '';
    loop
      select * into v_more from docket.leaves_after(v_epoch, v_xid, v_event_id, 65536 - octet_length(v_leaves) / 32);
      v_leaves := v_leaves || v_more.leaves;
      v_keys := v_keys || v_more.keys;
      exit when octet_length(v_leaves) = 65536 * 32 or v_epoch = v_last_epoch;
      v_epoch := v_epoch + 1;
      v_xid := '0';
      v_event_id := -1;
    end loop;
    exit when v_leaves = '';
    select k.xid, k.event_id into v_xid, v_event_id
    from docket.read_leaf_key(substring(v_keys from octet_length(v_keys) - 15)) as k;
    v_end := v_at + octet_length(v_leaves) / 32;
    -- what has the numbers of the last leaf would be passed over where the next ones are read
    return query
    select 'sealed events', 0::bigint, count(*) - 1, max(e.job_id || ' event ' || e.seq), 'numbers of its own', 'those of another event'
    from docket_audit.events e
    where e.xid = v_xid and e.event_id = v_event_id
    having count(*) > 1;
    v_levels := array[v_leaves];
    for v_height in 1..16 loop
      v_levels[v_height + 1] := docket_audit.merkle_parents(v_levels[v_height]);
    end loop;
    v_next_peaks := (select a.peaks from docket_audit.merkle_append(v_at >> 16, v_peaks, v_levels[17]) as a);

    -- The leaves are in order of transactions, so a seal has its events, and no others, where its first and its last leaf are of its
    -- transactions and the next one is not.
    return query
    select 'sealed events', v_end - v_at, w.failed, 'seal ' || w.first,
      (
        select s.events || ' events of transactions from ' || s.xid_from || ' to before ' || s.xid_to
        from docket_audit.seals s where s.seal_no = w.first
      ),
      docket.events_of_seal(w.first) || ' events'
    from (
      select count(*) as failed, min(s.seal_no) as first
      from docket_audit.seals s
      join docket_audit.epochs e on e.epoch = s.epoch
      left join docket_audit.epochs n on n.epoch = s.epoch + 1
      cross join lateral (
        select substring(v_keys from ((greatest(s.size - s.events, v_at) - v_at) * 16 + 1)::integer for 16) as first_key,
          substring(v_keys from ((least(s.size, v_end) - v_at) * 16 - 15)::integer for 16) as last_key,
          substring(v_keys from ((least(s.size, v_end) - v_at) * 16 + 1)::integer for 16) as next_key,
          xid8send(s.xid_to) || int8send(coalesce(n.first_event_id, 9223372036854775807)) as bounds
      ) as k
      where s.size > v_at and s.size <= (select coalesce(min(l.size), v_end) from docket_audit.seals l where l.size >= v_end)
        and s.size - s.events < v_end
        and (
          substring(k.first_key for 8) < xid8send(s.xid_from)
          or substring(k.first_key from 9) < int8send(e.first_event_id)
          or substring(k.last_key for 8) >= substring(k.bounds for 8)
          or substring(k.last_key from 9) >= substring(k.bounds from 9)
          or k.next_key <> '' and substring(k.next_key for 8) < substring(k.bounds for 8)
            and substring(k.next_key from 9) < substring(k.bounds from 9) and s.size < v_end
        )
    ) as w;

    return query
    select 'seal roots', w.seals, w.failed, 'seal ' || w.first[1]::bigint, w.first[2], w.first[3]
    from (
      select count(*) as seals,
        count(*) filter (where t.is_bad) as failed,
        min(array[
          lpad(s.seal_no::text, 19, '0'),
          encode(case when t.root = s.root then s.peaks else s.root end, 'hex'),
          encode(case when t.root = s.root then t.peaks else t.root end, 'hex')
        ]) filter (where t.is_bad) as first
      from docket_audit.seals s
      cross join lateral (
        select case s.size - v_at
          when 65536 then v_next_peaks
          else v_peaks || (
            select string_agg(
              substring(v_levels[height + 1] from ((((s.size - v_at) >> height) - 1) * 32 + 1)::integer for 32), ''
              order by height desc
            )
            from generate_series(0, 15) as height
            where (s.size - v_at) >> height & 1 = 1
          )
        end as peaks
        offset 0
      ) as p
      cross join lateral (
        select p.peaks, r.root, (s.peaks = p.peaks and s.root = r.root) is not true as is_bad
        from (select docket_audit.merkle_bag(p.peaks) as root offset 0) as r
      ) as t
      where s.size > v_at and s.size <= v_end
    ) as w;

    return query
    select 'tiles', w.tiles, w.failed,
      coalesce(docket.event_of_key(substring(v_keys from (l.place * 16 + 1)::integer for 16)), 'tile ' || w.first || ' of level 0'),
      coalesce(
        encode(
          case
            when l.place is not null then substring(t.hashes from ((l.place & 255) * 32 + 1)::integer for 32)
            when t.root <> substring(v_levels[9] from ((w.first - (v_at >> 8)) * 32 + 1)::integer for 32) then t.root
            else docket_audit.merkle_root(t.middle)
          end,
          'hex'
        ),
        'a tile'
      ),
      encode(substring(case when l.place is null then v_levels[9] else v_leaves end
        from (coalesce(l.place, w.first - (v_at >> 8)) * 32 + 1)::integer for 32), 'hex')
    from (
      select count(*) as tiles, count(*) filter (where c.is_bad) as failed, min(c.tile_no) filter (where c.is_bad) as first
      from (
        select n as tile_no,
          (
            select t.hashes = substring(v_leaves from ((n - (v_at >> 8)) * 8192 + 1)::integer for 8192)
              and t.middle = substring(v_levels[5] from ((n - (v_at >> 8)) * 512 + 1)::integer for 512)
              and t.root = substring(v_levels[9] from ((n - (v_at >> 8)) * 32 + 1)::integer for 32)
            from docket_audit.tiles t
            where t.tile_level = 0 and t.tile_no = n
          ) is not true as is_bad
        from generate_series(v_at >> 8, (least(v_end, v_size) >> 8) - 1) as n
      ) as c
    ) as w
    left join docket_audit.tiles t on t.tile_level = 0 and t.tile_no = w.first
    -- the first leaf that differs, if it is not only what is above
    left join lateral (
      select min(place) as place
      from generate_series((w.first - (v_at >> 8)) * 256, (w.first - (v_at >> 8)) * 256 + 255) as place
      where substring(t.hashes from ((place & 255) * 32 + 1)::integer for 32)
        <> substring(v_leaves from (place * 32 + 1)::integer for 32)
    ) as l on true;

    if v_end - v_at < 65536 then
      exit;
    end if;
    return query select * from docket.check_tile(1, v_at >> 16, v_levels[9]) where v_end <= v_size;
    v_roots := v_roots || v_levels[17];
    v_at := v_end;
    v_peaks := v_next_peaks;
  end loop;

  for v_level in 2..7 loop
    return query
    select c.*
    from generate_series(0, octet_length(v_roots) / 8192 - 1) as n
    cross join lateral docket.check_tile(v_level, n, substring(v_roots from n * 8192 + 1 for 8192)) as c;
    v_roots := (
      select coalesce(string_agg(docket_audit.merkle_root(substring(v_roots from n * 8192 + 1 for 8192)), '' order by n), '')
      from generate_series(0, octet_length(v_roots) / 8192 - 1) as n
    );
  end loop;

  return query
  select 'tiles', count(*), count(*), min('tile ' || t.tile_no || ' of level ' || t.tile_level), 'no tile', min(encode(t.root, 'hex'))
  from docket_audit.tiles t
  where t.tile_no >= v_size >> least(8 * (t.tile_level + 1), 63);

  -- what is missing at the end, and what was not sealed though it should have been
  return query
  select 'sealed events', 0::bigint, count(*), 'seal ' || min(s.seal_no), min(s.size) || ' events', v_end || ' events'
  from docket_audit.seals s
  where s.size > v_end;
  return query
  select 'sealed events', v_end - v_size, v_end - v_size, docket.event_of_key(xid8send(v_xid) || int8send(v_event_id)),
    'sealed', 'not sealed'
  where v_end > v_size;
  return query
  select 'sealed events', k.events, k.events, docket.event_of_key(xid8send(k.first[1]::text::xid8) || int8send(k.first[2]::bigint)),
    'sealed', 'not sealed'
  from (
    select count(*) as events, min(array[e.xid::text::numeric, e.event_id]) as first
    from docket_audit.events e
    left join (
      select p.first_event_id, n.first_event_id as end_event_id,
        coalesce((select max(s.xid_to) from docket_audit.seals s where s.epoch = p.epoch), '0') as xid_to
      from docket_audit.epochs p
      left join docket_audit.epochs n on n.epoch = p.epoch + 1
    ) as p on e.event_id >= p.first_event_id and (e.event_id < p.end_event_id or p.end_event_id is null)
    -- no seal will ever count what is of no epoch, of one that has ended, or of a transaction that is yet to come
    where p.first_event_id is null
      or p.end_event_id is not null and e.xid >= p.xid_to
      or p.end_event_id is null and e.xid >= v_next_xid and e.xid is distinct from pg_current_xact_id_if_assigned()
  ) as k;
end;
$$;
comment on function docket.check_tree() is
  'Recomputes the Merkle log from the events, and compares seals and tiles: rows for each 65,536 leaves, of the same names.';
