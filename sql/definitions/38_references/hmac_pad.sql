-- A key as HMAC-SHA-256 wants it (RFC 2104): hashed if it is longer than a block, filled up with zeros to 64 bytes, and each
-- byte xor the same one: 0x36 for the inner pad, 0x5c for the outer. Made once for each key, so that a signature costs two hashes.
create or replace function docket.hmac_pad(
  p_key bytea,
  p_byte integer
)
returns bytea
language sql
immutable
parallel safe
as $$
  select string_agg(
    set_byte('\x00'::bytea, 0, case when i < octet_length(k.key) then get_byte(k.key, i) else 0 end # p_byte), ''::bytea order by i
  )
  from (select case when octet_length(p_key) > 64 then sha256(p_key) else p_key end as key) as k
  cross join generate_series(0, 63) as i
$$;
comment on function docket.hmac_pad(bytea, integer) is 'The inner (54) or outer (92) pad of a key for HMAC-SHA-256, 64 bytes.';
