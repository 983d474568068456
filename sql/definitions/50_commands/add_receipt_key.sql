-- Records the public half of a key before receipts are signed by it. Its id is computed here: the thumbprint of RFC 7638.
-- Called by: the worker, when it starts and when its key file changed. Effects: receipt_keys, once for each key.
-- Errors: ZD047 it is no public key of Ed25519.
create or replace function docket.add_receipt_key(p_public_jwk json)
returns table (key_id text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_x text := p_public_jwk ->> 'x';
  v_key_id text;
begin
  -- check: a private half must not even be seen here
  if p_public_jwk ->> 'kty' is distinct from 'OKP' or p_public_jwk ->> 'crv' is distinct from 'Ed25519'
    or v_x is null or v_x !~ '^[A-Za-z0-9_-]{43}$' or p_public_jwk ->> 'd' is not null
  then
    raise exception 'public_jwk: not the public half of an Ed25519 key'
      using errcode = 'ZD047', hint = 'State {"kty": "OKP", "crv": "Ed25519", "x": …} and no "d".';
  end if;

  -- record
  v_key_id := docket.base64url(sha256(convert_to(format('{"crv":"Ed25519","kty":"OKP","x":"%s"}', v_x), 'UTF8')));
  insert into docket.receipt_keys (key_id, public_jwk, added_by)
  values (
    v_key_id,
    json_build_object('kty', 'OKP', 'crv', 'Ed25519', 'x', v_x, 'kid', v_key_id, 'alg', 'EdDSA', 'use', 'sig')::text,
    docket.actor()
  )
  on conflict (key_id) do nothing;
  return query select v_key_id;
end;
$$;
comment on function docket.add_receipt_key(json) is 'Records the public half of a key by which receipts are signed; its id. Raises ZD047.';
