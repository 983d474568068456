-- Where an event stands in the log: the leaves before its seal, and the events of its seal before it. Null while it is not sealed.
-- Called by: auditors; bundles.
create or replace function docket.leaf_index(
  p_job_id uuid,
  p_seq integer
)
returns bigint
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_event record;
  v_seal record;
begin
  select e.xid, e.event_id into v_event from docket_audit.events e where e.job_id = p_job_id and e.seq = p_seq;
  select e.epoch, e.first_event_id, n.first_event_id as end_event_id
  into v_seal
  from docket_audit.epochs e
  left join docket_audit.epochs n on n.epoch = e.epoch + 1
  where e.first_event_id <= v_event.event_id
  order by e.epoch desc
  limit 1;
  return (
    select s.size - s.events + (
      select count(*)
      from docket_audit.events e
      where e.xid >= s.xid_from and (e.xid, e.event_id) < (v_event.xid, v_event.event_id)
        and e.event_id >= v_seal.first_event_id and e.event_id < coalesce(v_seal.end_event_id, 9223372036854775807)
    )
    from docket_audit.seals s
    where s.epoch = v_seal.epoch and s.xid_to > v_event.xid
    order by s.xid_to
    limit 1
  );
end;
$$;
comment on function docket.leaf_index(uuid, integer) is 'Index of an event among the leaves of the Merkle log, from 0; null while it is not sealed.';
