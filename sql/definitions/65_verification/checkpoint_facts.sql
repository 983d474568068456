-- What a checkpoint states, or else what is wrong with it as one of this log: nothing is raised.
-- Called by: verify_inclusion, verify_consistency. Not granted to anyone.
create or replace function docket.checkpoint_facts(p_note text)
returns table (
  size bigint,
  root bytea,
  flaw text
)
language plpgsql
stable
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select n.size, n.root, case when e.origin is null then 'a checkpoint of ' || n.origin end
  from docket_audit.read_note(p_note) as n
  left join docket_audit.epochs e on e.origin = n.origin;
exception
  when sqlstate 'ZD053' then
    return query select null::bigint, null::bytea, sqlerrm;
end;
$$;
comment on function docket.checkpoint_facts(text) is 'Size and root that a checkpoint of this log states, or why it is none.';
