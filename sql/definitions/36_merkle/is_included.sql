-- Whether a proof shows that a leaf stands at an index of the tree of a size and root (RFC 9162, 2.1.3.2). Never null; what has a
-- wrong length or lies out of range is no proof.
create or replace function docket_audit.is_included(
  p_leaf bytea,
  p_index bigint,
  p_size bigint,
  p_proof bytea[],
  p_root bytea
)
returns boolean
language plpgsql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_index bigint := p_index;
  v_last bigint := p_size - 1;
  v_hash bytea := p_leaf;
  v_sibling bytea;
begin
  if (octet_length(p_leaf) = 32 and octet_length(p_root) = 32 and p_index >= 0 and p_index < p_size and p_proof is not null)
    is not true
  then
    return false;
  end if;
  foreach v_sibling in array p_proof loop
    if octet_length(v_sibling) is distinct from 32 or v_last = 0 then
      return false;
    end if;
    if v_index & 1 = 1 or v_index = v_last then
      v_hash := sha256(decode('01', 'hex') || v_sibling || v_hash);
      while v_index & 1 = 0 and v_index <> 0 loop
        v_index := v_index >> 1;
        v_last := v_last >> 1;
      end loop;
    else
      v_hash := sha256(decode('01', 'hex') || v_hash || v_sibling);
    end if;
    v_index := v_index >> 1;
    v_last := v_last >> 1;
  end loop;
  return v_last = 0 and v_hash = p_root;
end;
$$;
comment on function docket_audit.is_included(bytea, bigint, bigint, bytea[], bytea) is
  'Whether a proof shows that a leaf stands at an index, from 0, of the Merkle tree of a size and root (RFC 9162).';
