-- A power modulo 2^255 − 19.
create or replace function docket_audit.ed25519_power(
  p_base numeric,
  p_exponent numeric
)
returns numeric
language plpgsql
immutable
strict
parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  c_p constant numeric := 57896044618658097711785492504343953926634992332820282019728792003956564819949;
  v_power numeric := 1;
  v_bit text;
begin
  foreach v_bit in array string_to_array(docket_audit.ed25519_bits(p_exponent), null) loop
    v_power := mod(v_power * v_power, c_p);
    if v_bit = '1' then
      v_power := mod(v_power * p_base, c_p);
    end if;
  end loop;
  return v_power;
end;
$$;
comment on function docket_audit.ed25519_power(numeric, numeric) is 'A power modulo 2^255 - 19.';
