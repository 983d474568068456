-- How many events there are now of the transactions of a seal.
-- Called by: check_tree. Not granted to anyone.
create or replace function docket.events_of_seal(p_seal_no bigint)
returns bigint
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select count(*)
  from docket_audit.seals s
  join docket_audit.epochs p on p.epoch = s.epoch
  left join docket_audit.epochs n on n.epoch = s.epoch + 1
  join docket_audit.events e on e.xid >= s.xid_from and e.xid < s.xid_to
    and e.event_id >= p.first_event_id and e.event_id < coalesce(n.first_event_id, 9223372036854775807)
  where s.seal_no = p_seal_no
$$;
comment on function docket.events_of_seal(bigint) is 'Events that there are now of the transactions of a seal.';
