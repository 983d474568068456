-- The proof that the log of one size is the beginning of that of another (RFC 9162, 2.1.4): docket_audit.is_consistent checks it.
-- Called by: auditors; what publishes checkpoints. Errors: ZD055.
create or replace function docket.consistency_proof(
  p_from bigint,
  p_to bigint
)
returns bytea[]
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_level integer := 0;
begin
  perform docket.require_tree_size(p_to);
  if (p_from between 0 and p_to) is not true then
    raise exception 'size: a tree of % leaves is not the beginning of one of %', coalesce(p_from::text, 'null'), p_to
      using errcode = 'ZD055', hint = 'State the smaller size first.';
  end if;
  if p_from = 0 or p_from = p_to then
    return '{}';
  end if;
  -- from the last complete subtree of the smaller tree; where it is the whole of it, whoever checks knows its root
  while (p_from >> v_level) & 1 = 0 loop
    v_level := v_level + 1;
  end loop;
  return (docket.tree_path(p_from - 1, p_to, v_level))[case when p_from >> v_level = 1 then 2 else 1 end:];
end;
$$;
comment on function docket.consistency_proof(bigint, bigint) is
  'Proof that the Merkle log of one size is the beginning of that of a larger one (RFC 9162). Raises ZD055.';
