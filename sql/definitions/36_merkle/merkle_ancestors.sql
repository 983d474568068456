-- The hashes so many levels above a row of 32-byte hashes: each the root over 2, 4, 8 … of them, from the left. What is left of a row
-- without a partner has none.
create or replace function docket_audit.merkle_ancestors(
  p_hashes bytea,
  p_levels integer
)
returns bytea
language plpgsql
immutable
strict
parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_row bytea := p_hashes;
begin
  for v_level in 1..p_levels loop
    v_row := docket_audit.merkle_parents(v_row);
  end loop;
  return v_row;
end;
$$;
comment on function docket_audit.merkle_ancestors(bytea, integer) is
  'Hashes so many levels above a row of 32-byte hashes in a Merkle tree (RFC 6962).';
