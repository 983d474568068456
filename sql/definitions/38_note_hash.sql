-- The salted hash of a note by an evidence owner, for the event that recorded it. Format: docs/audit-log.md.
create or replace function docket.note_hash(p_salt bytea, p_note text)
returns bytea
language sql
stable
parallel safe
as $$
  select sha256(p_salt || decode('646f636b65742e6e6f74652e310a', 'hex') || convert_to(p_note, 'UTF8'))
$$;
comment on function docket.note_hash(bytea, text) is 'Hash of a note with the salt of its job, 32 bytes; null where either is missing.';
