-- One level of a Merkle tree from the level below: the hash of each pair of hashes, from the left. A last one without a partner has
-- no parent here.
-- A loop, because its expressions need no executor, which for so little work costs ten times as much. It copies what it has with every
-- step, so that long rows are taken in pieces of 1,024 hashes.
create or replace function docket_audit.merkle_parents(p_hashes bytea)
returns bytea
language plpgsql
immutable
strict
parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_parents bytea := '';
begin
  if octet_length(p_hashes) > 32768 then
    return (
      select string_agg(docket_audit.merkle_parents(substring(p_hashes from i * 32768 + 1 for 32768)), '' order by i)
      from generate_series(0, (octet_length(p_hashes) - 1) / 32768) as i
    );
  end if;
  for v_pair in 0..octet_length(p_hashes) / 64 - 1 loop
    v_parents := v_parents || sha256('\x01'::bytea || substring(p_hashes from v_pair * 64 + 1 for 64));
  end loop;
  return v_parents;
end;
$$;
comment on function docket_audit.merkle_parents(bytea) is
  'Hashes of the pairs of a row of 32-byte hashes: SHA-256 of 0x01, the left and the right one (RFC 6962).';
