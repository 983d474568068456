-- The root of a Merkle tree over a row of leaf hashes, level by level: a last one without a partner moves up as it is, which is the
-- tree of RFC 6962. Null where the row does not consist of 32-byte hashes.
create or replace function docket_audit.merkle_root(p_leaves bytea)
returns bytea
language plpgsql
immutable
strict
parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_row bytea := p_leaves;
begin
  if octet_length(p_leaves) % 32 <> 0 then
    return null;
  end if;
  if octet_length(p_leaves) = 0 then
    return sha256('');
  end if;
  while octet_length(v_row) > 32 loop
    -- what is beyond the last complete pair: nothing or one hash
    v_row := docket_audit.merkle_parents(v_row) || substring(v_row from (octet_length(v_row) >> 6 << 6) + 1);
  end loop;
  return v_row;
end;
$$;
comment on function docket_audit.merkle_root(bytea) is
  'Root of the Merkle tree over a row of leaf hashes of 32 bytes each (RFC 6962).';
