-- Whether a proof shows that the tree of one size and root is the beginning of that of another (RFC 9162, 2.1.4.2). Never null; what
-- has a wrong length or lies out of range is no proof. The empty tree is the beginning of every tree, and needs no proof.
create or replace function docket_audit.is_consistent(
  p_size1 bigint,
  p_size2 bigint,
  p_root1 bytea,
  p_root2 bytea,
  p_proof bytea[]
)
returns boolean
language plpgsql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_proof bytea[] := p_proof;
  v_index bigint := p_size1 - 1;
  v_last bigint := p_size2 - 1;
  v_hash1 bytea;
  v_hash2 bytea;
  v_sibling bytea;
begin
  if (octet_length(p_root1) = 32 and octet_length(p_root2) = 32 and p_size1 >= 0 and p_size1 <= p_size2 and p_proof is not null)
    is not true
  then
    return false;
  end if;
  if p_size1 = 0 or p_size1 = p_size2 then
    return cardinality(p_proof) = 0
      and (p_size1 <> p_size2 or p_root1 = p_root2)
      and (p_size1 <> 0 or p_root1 = sha256(''));
  end if;
  -- where the older tree is one complete subtree, its root is where the proof begins
  if p_size1 & (p_size1 - 1) = 0 then
    v_proof := array_prepend(p_root1, v_proof);
  end if;
  while v_index & 1 = 1 loop
    v_index := v_index >> 1;
    v_last := v_last >> 1;
  end loop;
  foreach v_sibling in array v_proof loop
    if octet_length(v_sibling) is distinct from 32 then
      return false;
    elsif v_hash1 is null then
      v_hash1 := v_sibling;
      v_hash2 := v_sibling;
      continue;
    elsif v_last = 0 then
      return false;
    elsif v_index & 1 = 1 or v_index = v_last then
      v_hash1 := sha256(decode('01', 'hex') || v_sibling || v_hash1);
      v_hash2 := sha256(decode('01', 'hex') || v_sibling || v_hash2);
      while v_index & 1 = 0 and v_index <> 0 loop
        v_index := v_index >> 1;
        v_last := v_last >> 1;
      end loop;
    else
      v_hash2 := sha256(decode('01', 'hex') || v_hash2 || v_sibling);
    end if;
    v_index := v_index >> 1;
    v_last := v_last >> 1;
  end loop;
  return coalesce(v_last = 0 and v_hash1 = p_root1 and v_hash2 = p_root2, false);
end;
$$;
comment on function docket_audit.is_consistent(bigint, bigint, bytea, bytea, bytea[]) is
  'Whether a proof shows that the Merkle tree of one size and root is the beginning of that of another (RFC 9162).';
