-- The proof that a leaf stands at an index of the log of some size (RFC 9162, 2.1.3): docket_audit.is_included checks it.
-- Called by: auditors; bundles. Errors: ZD055.
create or replace function docket.inclusion_proof(
  p_index bigint,
  p_size bigint
)
returns bytea[]
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform docket.require_tree_size(p_size);
  if (p_index >= 0 and p_index < p_size) is not true then
    raise exception 'index: a tree of % leaves has no leaf %', p_size, coalesce(p_index::text, 'null')
      using errcode = 'ZD055', hint = 'Leaves are numbered from 0.';
  end if;
  return (docket.tree_path(p_index, p_size, 0))[2:];
end;
$$;
comment on function docket.inclusion_proof(bigint, bigint) is
  'Proof that the leaf at an index, from 0, is in the Merkle log of some size (RFC 9162). Raises ZD055.';
