-- A number below 2^256 in binary, 256 digits.
create or replace function docket_audit.ed25519_bits(p_number numeric)
returns text
language plpgsql
immutable
strict
parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rest numeric := p_number;
  v_above numeric;
  v_bits text := '';
begin
  for i in 1 .. 8 loop
    v_above := div(v_rest, 4294967296);
    v_bits := (v_rest - v_above * 4294967296)::bigint::bit(32)::text || v_bits;
    v_rest := v_above;
  end loop;
  return v_bits;
end;
$$;
comment on function docket_audit.ed25519_bits(numeric) is 'A number below 2^256 in binary, 256 digits.';
