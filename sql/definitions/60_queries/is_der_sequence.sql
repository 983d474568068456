-- Whether bytes are one DER SEQUENCE and nothing behind it, by its outer length: what every key, certificate and revocation list
-- is. What is inside is read by those who use it.
-- Called by: der_of_pem, add_revocation_list. Not granted to anyone.
create or replace function docket.is_der_sequence(p_der bytea)
returns boolean
language plpgsql
immutable
strict
set search_path = pg_catalog, pg_temp
as $$
declare
  v_bytes integer;
  v_length bigint := 0;
begin
  if octet_length(p_der) < 2 or get_byte(p_der, 0) <> 48 then
    return false;
  end if;
  -- short form: the length itself; long form: how many bytes of length follow, without leading zeros
  v_bytes := get_byte(p_der, 1) - 128;
  if v_bytes < 0 then
    return octet_length(p_der) = 2 + get_byte(p_der, 1);
  elsif v_bytes not between 1 and 4 or octet_length(p_der) < 2 + v_bytes then
    return false;
  end if;
  for v_at in 0 .. v_bytes - 1 loop
    v_length := v_length * 256 + get_byte(p_der, 2 + v_at);
  end loop;
  return v_length >= greatest(128, 256::bigint ^ (v_bytes - 1)) and octet_length(p_der) = 2 + v_bytes + v_length;
end;
$$;
comment on function docket.is_der_sequence(bytea) is 'Whether bytes are one DER SEQUENCE and nothing behind it.';
