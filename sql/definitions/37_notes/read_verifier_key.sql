-- A key of signed notes as people hand it around: NAME+KEYID+BASE64 (C2SP signed-note); or only its 32 bytes, in base64 or hex, and
-- then under the name stated. Type 1 signs notes; type 4 is a witness's.
-- Called by: verify_checkpoint. Errors: ZD053 it is none.
create or replace function docket_audit.read_verifier_key(
  p_key text,
  p_name text
)
returns table (
  name text,
  key_id bytea,
  type integer,
  public_key bytea
)
language plpgsql
stable
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text := btrim(p_key, E' \t\r\n');
  v_parts text[] := regexp_match(v_text, '^([^+]+)\+([0-9a-f]{8})\+(.+)$');
  v_bytes bytea;
begin
  if v_parts is not null then
    v_bytes := docket_audit.bytes_of_base64(v_parts[3]);
    name := v_parts[1];
    type := get_byte(nullif(v_bytes, ''), 0);
    public_key := substr(v_bytes, 2);
  else
    name := p_name;
    type := 1;
    public_key := case when v_text ~ '^[0-9A-Fa-f]{64}$' then decode(v_text, 'hex') else docket_audit.bytes_of_base64(v_text) end;
  end if;
  if (octet_length(public_key) = 32 and type in (1, 4) and docket_audit.is_key_name(name)) is not true then
    raise exception 'public_key: no key of Ed25519'
      using errcode = 'ZD053', hint = 'State it as NAME+KEYID+BASE64, or its 32 bytes in base64 or hex.';
  end if;
  key_id := docket_audit.key_id(name, public_key, type);
  if v_parts[2] <> encode(key_id, 'hex') then
    raise exception 'public_key: its id is %, not %', encode(key_id, 'hex'), v_parts[2]
      using errcode = 'ZD053', hint = 'The key was altered on its way: have it again.';
  end if;
  return next;
end;
$$;
comment on function docket_audit.read_verifier_key(text, text) is
  'A key of signed notes, from NAME+KEYID+BASE64 or from its 32 bytes and a name. Raises ZD053.';
