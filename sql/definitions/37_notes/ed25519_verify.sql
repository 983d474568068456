-- Whether an Ed25519 signature (RFC 8032, 5.1.7) of a message by a key is good. Strict: S is below the order of the group; R and the
-- key are encoded canonically; the key is none of the eight points of small order, whose signatures would fit many messages; the
-- equation is the one without the cofactor. Everything in SQL, about 10 ms. Never null.
-- Called by: record_checkpoint, verify_checkpoint; auditors. Errors: none.
create or replace function docket_audit.ed25519_verify(
  p_public_key bytea,
  p_message bytea,
  p_signature bytea
)
returns boolean
language plpgsql
immutable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  c_p constant numeric := 57896044618658097711785492504343953926634992332820282019728792003956564819949;
  c_order constant numeric := 7237005577332262213973186563042994240857116359379907606001950938285454250989;
  c_x constant numeric := 15112221349535400772501151409588531511454012693041857206046113283949847762202;
  c_y constant numeric := 46316835694926478169428394003475163141307993866256225615783033603165251855960;
  c_nothing constant numeric[] := array[0, 1, 1, 0];
  v_base numeric[] := array[c_x, c_y, 1, mod(c_x * c_y, c_p)];
  v_key numeric[];
  v_both numeric[];
  v_sum numeric[];
  v_s numeric;
  v_k numeric;
  v_s_bits text;
  v_k_bits text;
  v_inverse numeric;
  v_x numeric;
  v_y numeric;
begin
  if (octet_length(p_public_key) = 32 and octet_length(p_signature) = 64 and p_message is not null) is not true then
    return false;
  end if;
  v_s := docket_audit.little_endian(substr(p_signature, 33));
  v_key := docket_audit.ed25519_point(p_public_key);
  if v_s >= c_order or v_key is null then
    return false;
  end if;
  -- eight times a point of small order is nothing: x is 0, and y is z
  v_sum := v_key;
  for i in 1 .. 3 loop
    v_sum := docket_audit.ed25519_sum(v_sum, v_sum);
  end loop;
  if mod(v_sum[1], c_p) = 0 and mod(v_sum[2] - v_sum[3], c_p) = 0 then
    return false;
  end if;

  -- s times the base less k times the key, both in one go over their binary digits
  v_k := mod(docket_audit.little_endian(sha512(substr(p_signature, 1, 32) || p_public_key || p_message)), c_order);
  v_s_bits := docket_audit.ed25519_bits(v_s);
  v_k_bits := docket_audit.ed25519_bits(v_k);
  v_key := array[c_p - v_key[1], v_key[2], 1, c_p - v_key[4]];
  v_both := docket_audit.ed25519_sum(v_base, v_key);
  v_sum := c_nothing;
  for i in 1 .. 256 loop
    v_sum := docket_audit.ed25519_sum(v_sum, v_sum);
    case substr(v_s_bits, i, 1) || substr(v_k_bits, i, 1)
      when '10' then v_sum := docket_audit.ed25519_sum(v_sum, v_base);
      when '01' then v_sum := docket_audit.ed25519_sum(v_sum, v_key);
      when '11' then v_sum := docket_audit.ed25519_sum(v_sum, v_both);
      else null;
    end case;
  end loop;

  -- it must be R, as it is encoded: y, and above it the parity of x
  v_inverse := docket_audit.ed25519_power(mod(v_sum[3] + c_p, c_p), c_p - 2);
  v_x := mod(mod(v_sum[1] * v_inverse, c_p) + c_p, c_p);
  v_y := mod(mod(v_sum[2] * v_inverse, c_p) + c_p, c_p);
  return docket_audit.little_endian(substr(p_signature, 1, 32))
    = v_y + case when mod(v_x, 2) = 1 then 2::numeric ^ 255 else 0 end;
end;
$$;
comment on function docket_audit.ed25519_verify(bytea, bytea, bytea) is
  'Whether an Ed25519 signature of a message by a key of 32 bytes is good (RFC 8032, strictly).';
