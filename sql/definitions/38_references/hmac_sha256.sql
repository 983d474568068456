-- HMAC-SHA-256 (RFC 2104) of a message by the pads of a key. pgcrypto has the same, but it is no part of every server.
create or replace function docket.hmac_sha256(
  p_inner_pad bytea,
  p_outer_pad bytea,
  p_message bytea
)
returns bytea
language sql
immutable
parallel safe
as $$
  select sha256(p_outer_pad || sha256(p_inner_pad || p_message))
$$;
comment on function docket.hmac_sha256(bytea, bytea, bytea) is 'HMAC-SHA-256 of a message by the two pads of a key, 32 bytes.';
