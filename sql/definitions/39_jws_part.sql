-- A part of a compact JWS as JSON: 1 the header, 2 the payload. Says nothing of the signature.
-- Called by: record_receipts, my_submissions. Errors: those of the decoding (class 22), where it is none.
create or replace function docket.jws_part(
  p_jws text,
  p_part integer
)
returns json
language sql
stable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
as $$
  select convert_from(docket.bytes_of_base64url(split_part(p_jws, '.', p_part)), 'UTF8')::json
$$;
comment on function docket.jws_part(text, integer) is 'Header (1) or payload (2) of a compact JWS, as JSON; nothing is checked.';
