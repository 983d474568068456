-- The newest sealed leaves, at most so many, from the left: their events, in the order in which they were sealed. What lies beyond the
-- last complete tile is kept nowhere else. Of the newest epoch those numbered before p_end_event_id, where it is not null: after a restore
-- what was recorded since may have numbers of transactions from among those of sealed ones.
-- Called by: make_seal, right_edge. Not granted to anyone.
create or replace function docket.last_leaves(
  p_count integer,
  p_end_event_id bigint
)
returns bytea
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_sort = off -- the index has the order; the planner, which does not know how few are wanted, would read and sort all
as $$
declare
  v_leaves bytea := '';
  v_span record;
begin
  -- the epochs, newest first, each up to its last seal: usually the first one has them all
  for v_span in
    select e.first_event_id, n.first_event_id as end_event_id, s.xid_to, s.size - e.first_size as leaves
    from docket_audit.epochs e
    left join docket_audit.epochs n on n.epoch = e.epoch + 1
    cross join lateral (
      select l.xid_to, l.size from docket_audit.seals l where l.epoch = e.epoch order by l.xid_to desc limit 1
    ) as s
    order by e.epoch desc
  loop
    exit when octet_length(v_leaves) >= 32 * p_count;
    v_leaves := (
      select coalesce(string_agg(l.hash, '' order by l.xid, l.event_id), '')
      from (
        select e.xid, e.event_id, e.hash
        from docket_audit.events e
        where e.xid < v_span.xid_to and e.event_id >= v_span.first_event_id
          and e.event_id < coalesce(v_span.end_event_id, p_end_event_id, 9223372036854775807)
        order by e.xid desc, e.event_id desc
        limit least(p_count - octet_length(v_leaves) / 32, v_span.leaves)
      ) as l
    ) || v_leaves;
  end loop;
  return v_leaves;
end;
$$;
comment on function docket.last_leaves(integer, bigint) is 'Leaf hashes of the newest sealed events, 32 bytes each, from the left.';
