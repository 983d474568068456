-- The DER in a PEM text of one block with a label; null if the text is anything else, such as two blocks, or one of another label.
-- Called by: add_trust_anchor. Not granted to anyone.
create or replace function docket.der_of_pem(
  p_pem text,
  p_label text
)
returns bytea
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_der bytea;
begin
  v_der := decode(
    (regexp_match(p_pem, format('^\s*-----BEGIN %1$s-----([A-Za-z0-9+/=\s]+)-----END %1$s-----\s*$', p_label)))[1],
    'base64');
  return case when docket.is_der_sequence(v_der) then v_der end;
exception when invalid_parameter_value then
  return null;
end;
$$;
comment on function docket.der_of_pem(text, text) is
  'The DER in a PEM text of one block with the label; null if the text is anything else.';
