-- The leaves of the log that follow on one, in the order in which they were sealed, read from the events: their hashes, 32 bytes each,
-- and a key for each, 16 bytes: the numbers of its transaction and of the event, big-endian. At most so many, of one epoch; what is
-- there of it below its newest seal.
-- Called by: check_tree. Not granted to anyone.
create or replace function docket.leaves_after(
  p_epoch integer,
  p_xid xid8,
  p_event_id bigint,
  p_limit integer
)
returns table (
  leaves bytea,
  keys bytea
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
  v_span record;
begin
  select e.first_event_id, coalesce(n.first_event_id, 9223372036854775807) as end_event_id, s.xid_to
  into v_span
  from docket_audit.epochs e
  left join docket_audit.epochs n on n.epoch = e.epoch + 1
  cross join lateral (select max(l.xid_to) as xid_to from docket_audit.seals l where l.epoch = e.epoch) as s
  where e.epoch = p_epoch;

  return query
  select
    -- a hash of another length, which no tree has, must not move those after it
    coalesce(
      string_agg(case octet_length(l.hash) when 32 then l.hash else sha256(l.hash) end, '' order by l.xid, l.event_id), ''
    ),
    coalesce(string_agg(xid8send(l.xid) || int8send(l.event_id), '' order by l.xid, l.event_id), '')
  from (
    select e.hash, e.xid, e.event_id
    from docket_audit.events e
    where (e.xid, e.event_id) > (p_xid, p_event_id) and e.xid < v_span.xid_to
      and e.event_id >= v_span.first_event_id and e.event_id < v_span.end_event_id
    order by e.xid, e.event_id
    limit p_limit
  ) as l;
end;
$$;
comment on function docket.leaves_after(integer, xid8, bigint, integer) is
  'Leaf hashes and keys of the sealed events of an epoch that follow on one, in the order in which they were sealed.';
