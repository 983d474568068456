-- The numbers of transaction and event in a key that leaves_after gives a leaf.
-- Called by: check_tree, event_of_key. Not granted to anyone.
create or replace function docket.read_leaf_key(p_key bytea)
returns table (
  xid xid8,
  event_id bigint
)
language sql
immutable
parallel safe
as $$
  select ('x' || encode(substring(p_key for 8), 'hex'))::bit(64)::bigint::text::xid8,
    ('x' || encode(substring(p_key from 9), 'hex'))::bit(64)::bigint
$$;
comment on function docket.read_leaf_key(bytea) is 'Numbers of transaction and event, of 8 bytes each.';
