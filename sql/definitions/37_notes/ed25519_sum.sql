-- The sum of two points of the curve of Ed25519, in extended coordinates x, y, z, t (RFC 8032, 5.1.4). It holds for a point and
-- itself too.
create or replace function docket_audit.ed25519_sum(
  p_one numeric[],
  p_other numeric[]
)
returns numeric[]
language plpgsql
immutable
strict
parallel safe
as $$
declare
  c_p constant numeric := 57896044618658097711785492504343953926634992332820282019728792003956564819949;
  c_2d constant numeric := 16295367250680780974490674513165176452449235426866156013048779062215315747161;
  v_a numeric := mod((p_one[2] - p_one[1]) * (p_other[2] - p_other[1]), c_p);
  v_b numeric := mod((p_one[2] + p_one[1]) * (p_other[2] + p_other[1]), c_p);
  v_c numeric := mod(mod(p_one[4] * p_other[4], c_p) * c_2d, c_p);
  v_d numeric := mod(2 * p_one[3] * p_other[3], c_p);
  v_e numeric := v_b - v_a;
  v_f numeric := v_d - v_c;
  v_g numeric := v_d + v_c;
  v_h numeric := v_b + v_a;
begin
  return array[mod(v_e * v_f, c_p), mod(v_g * v_h, c_p), mod(v_f * v_g, c_p), mod(v_e * v_h, c_p)];
end;
$$;
comment on function docket_audit.ed25519_sum(numeric[], numeric[]) is
  'The sum of two points of the curve of Ed25519, in extended coordinates (RFC 8032).';
