-- Appends leaf hashes to a tree of which only the size and the peaks are known: the roots of the complete subtrees that it
-- consists of, from the left, one for each bit of its size. Null where these do not fit each other.
create or replace function docket_audit.merkle_append(
  p_size bigint,
  p_peaks bytea,
  p_leaves bytea,
  out size bigint,
  out peaks bytea
)
language plpgsql
immutable
strict
parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_left bytea := p_peaks;
  v_row bytea := p_leaves;
  v_right bytea := '';
  v_level integer := 0;
begin
  if p_size < 0 or octet_length(p_peaks) <> 32 * bit_count(int8send(p_size)) or octet_length(p_leaves) % 32 <> 0 then
    return;
  end if;
  -- on each level: the peak that waits for a partner comes first, and a last hash without one is a peak of the new tree
  while octet_length(v_row) > 0 loop
    if (p_size >> v_level) & 1 = 1 then
      v_row := substring(v_left from octet_length(v_left) - 31) || v_row;
      v_left := substring(v_left for octet_length(v_left) - 32);
    end if;
    v_right := substring(v_row from (octet_length(v_row) >> 6 << 6) + 1) || v_right;
    v_row := docket_audit.merkle_parents(v_row);
    v_level := v_level + 1;
  end loop;
  size := p_size + octet_length(p_leaves) / 32;
  peaks := v_left || v_right;
end;
$$;
comment on function docket_audit.merkle_append(bigint, bytea, bytea) is
  'Size and peaks of a Merkle tree after leaf hashes were appended to one of which size and peaks are known.';
