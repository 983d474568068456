-- The header of references signed by a key, encoded: always these very bytes, so that a header is compared and never read. No
-- message can ask for another algorithm.
create or replace function docket.reference_header(p_reference_key_id integer)
returns text
language sql
immutable
parallel safe
as $$
  select docket.base64url(decode('7b22616c67223a224853323536222c226b6964223a22', 'hex') || p_reference_key_id::text::bytea || '\x227d')
$$;
comment on function docket.reference_header(integer) is
  'The JWS header {"alg":"HS256","kid":"<number of the key>"} in base64url.';
