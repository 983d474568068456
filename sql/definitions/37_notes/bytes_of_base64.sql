-- The bytes of base64 (RFC 4648, 4) that is written in the one way there is: padded, no other bits, no line breaks. Else null.
create or replace function docket_audit.bytes_of_base64(p_text text)
returns bytea
language sql
immutable
parallel safe
as $$
  select case
    when p_text ~ '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$' then decode(p_text, 'base64')
  end
$$;
comment on function docket_audit.bytes_of_base64(text) is 'The bytes of base64 in its canonical form; null for anything else.';
