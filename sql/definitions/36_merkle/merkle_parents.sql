-- One level of a Merkle tree from the level below: the hash of each pair of hashes, from the left. A last one without a partner has
-- no parent here.
create or replace function docket_audit.merkle_parents(p_hashes bytea)
returns bytea
language plpgsql
immutable
strict
parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select coalesce(string_agg(sha256(decode('01', 'hex') || substring(p_hashes from (i << 6) + 1 for 64)), ''), '')
    from generate_series(0, octet_length(p_hashes) / 64 - 1) as i
  );
end;
$$;
comment on function docket_audit.merkle_parents(bytea) is
  'Hashes of the pairs of a row of 32-byte hashes: SHA-256 of 0x01, the left and the right one (RFC 6962).';
