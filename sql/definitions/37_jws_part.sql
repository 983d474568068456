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
as $$
  select convert_from(
    decode(rpad(part.text, (length(part.text) + 3) / 4 * 4, '='), 'base64'), 'UTF8'
  )::json
  from (select translate(split_part(p_jws, '.', p_part), '-_', '+/') as text) as part
$$;
comment on function docket.jws_part(text, integer) is 'Header (1) or payload (2) of a compact JWS, as JSON; nothing is checked.';
