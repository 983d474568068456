-- The point that 32 bytes encode, in extended coordinates (RFC 8032, 5.1.3). Null where they encode none, or not canonically.
create or replace function docket_audit.ed25519_point(p_bytes bytea)
returns numeric[]
language plpgsql
immutable
strict
parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  c_p constant numeric := 57896044618658097711785492504343953926634992332820282019728792003956564819949;
  c_d constant numeric := 37095705934669439343138083508754565189542113879843219016388785533085940283555;
  -- a square root of -1
  c_i constant numeric := 19681161376707505956807079304988542015446066515923890162744021073123829784752;
  v_is_odd integer := get_byte(p_bytes, 31) >> 7;
  v_y numeric := docket_audit.little_endian(set_byte(p_bytes, 31, get_byte(p_bytes, 31) & 127));
  v_u numeric := mod(v_y * v_y - 1 + c_p, c_p);
  v_v numeric := mod(c_d * mod(v_y * v_y, c_p) + 1, c_p);
  v_v3 numeric := mod(mod(v_v * v_v, c_p) * v_v, c_p);
  v_x numeric;
  v_square numeric;
begin
  if v_y >= c_p then
    return null;
  end if;
  -- x = u v^3 (u v^7)^((p-5)/8), or that times i
  v_x := mod(
    mod(v_u * v_v3, c_p)
      * docket_audit.ed25519_power(mod(mod(v_u * v_v3, c_p) * mod(v_v3 * v_v, c_p), c_p), div(c_p - 5, 8)),
    c_p
  );
  v_square := mod(v_v * mod(v_x * v_x, c_p), c_p);
  if v_square = mod(c_p - v_u, c_p) then
    v_x := mod(v_x * c_i, c_p);
  elsif v_square <> v_u then
    return null;
  end if;
  if v_x = 0 and v_is_odd = 1 then
    return null;
  end if;
  if mod(v_x, 2) <> v_is_odd then
    v_x := c_p - v_x;
  end if;
  return array[v_x, v_y, 1, mod(v_x * v_y, c_p)];
end;
$$;
comment on function docket_audit.ed25519_point(bytea) is
  'The point that 32 bytes encode canonically, in extended coordinates (RFC 8032); null for none.';
