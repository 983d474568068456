-- Whether a key signed a note: there is a signature of its name and id, and each such one is good. A witness (type 4) signs that it
-- saw the text, and when (C2SP tlog-cosignature). Never null.
-- Called by: verify_checkpoint. Errors: those of read_note and read_verifier_key (ZD053).
create or replace function docket_audit.is_note_signed_by(
  p_note text,
  p_key text
)
returns boolean
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select coalesce(
      bool_and(
        case k.type
          when 1 then docket_audit.ed25519_verify(k.public_key, convert_to(n.body, 'UTF8'), s.signature)
          else octet_length(s.signature) = 72
            and get_byte(s.signature, 0) < 128
            and docket_audit.ed25519_verify(
              k.public_key,
              convert_to(
                format(E'cosignature/v1\ntime %s\n%s', ('x' || encode(substr(s.signature, 1, 8), 'hex'))::bit(64)::bigint, n.body),
                'UTF8'
              ),
              substr(s.signature, 9)
            )
        end
      ),
      false
    )
    from docket_audit.read_note(p_note) n
    cross join docket_audit.read_verifier_key(p_key, n.origin) k
    cross join unnest(n.names, n.key_ids, n.signatures) as s (name, key_id, signature)
    where s.name = k.name and s.key_id = k.key_id
  );
end;
$$;
comment on function docket_audit.is_note_signed_by(text, text) is
  'Whether a key, the log''s or a witness''s, signed a checkpoint. Raises ZD053.';
