-- The bytes of base64url without padding. Raises what decode() raises where it is none: believe the text before.
create or replace function docket.bytes_of_base64url(p_text text)
returns bytea
language sql
immutable
parallel safe
as $$
  select decode(replace(replace(p_text, '-', '+'), '_', '/') || substr('===', 1, -length(p_text) & 3), 'base64')
$$;
comment on function docket.bytes_of_base64url(text) is 'The bytes of base64url without padding (RFC 4648).';
