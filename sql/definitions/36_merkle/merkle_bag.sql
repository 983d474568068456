-- The root of a tree of which the peaks are known: the smaller subtrees are bagged first, from the right.
create or replace function docket_audit.merkle_bag(p_peaks bytea)
returns bytea
language plpgsql
immutable
strict
parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_root bytea := substring(p_peaks from octet_length(p_peaks) - 31);
begin
  if octet_length(p_peaks) % 32 <> 0 then
    return null;
  end if;
  if octet_length(p_peaks) = 0 then
    return sha256('');
  end if;
  for v_peak in reverse octet_length(p_peaks) / 32 - 2..0 loop
    v_root := sha256(decode('01', 'hex') || substring(p_peaks from v_peak * 32 + 1 for 32) || v_root);
  end loop;
  return v_root;
end;
$$;
comment on function docket_audit.merkle_bag(bytea) is 'Root of the Merkle tree that consists of these peaks, from the left.';
