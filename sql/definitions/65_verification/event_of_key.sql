-- How a finding names the event of a leaf, by the key that leaves_after gives it; null for a key of no event.
-- Called by: check_tree. Not granted to anyone.
create or replace function docket.event_of_key(p_key bytea)
returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select min(e.job_id || ' event ' || e.seq)
    from docket.read_leaf_key(p_key) as k
    join docket_audit.events e on e.xid = k.xid and e.event_id = k.event_id
  );
end;
$$;
comment on function docket.event_of_key(bytea) is 'Name of the event that has this number of transaction and event.';
