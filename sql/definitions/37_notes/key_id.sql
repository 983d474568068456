-- The id of a key in signed notes: the first four bytes of SHA-256 over its name, a line feed, its type and its bytes (C2SP
-- signed-note). Type 1 signs notes by Ed25519; type 4 is that of witnesses, who sign that they saw them.
create or replace function docket_audit.key_id(
  p_name text,
  p_public_key bytea,
  p_type integer default 1
)
returns bytea
language sql
stable
parallel safe
as $$
  select substr(sha256(convert_to(p_name, 'UTF8') || '\x0a' || set_byte('\x00', 0, p_type) || p_public_key), 1, 4)
$$;
comment on function docket_audit.key_id(text, bytea, integer) is
  'Id of a key in signed notes, four bytes; by its name, its bytes and its type.';
