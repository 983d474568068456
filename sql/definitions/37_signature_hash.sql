-- The salted hash of what a check of signatures found, so that an event proves it. Format: docs/audit-log.md.
-- The JSON text of a report is hashed as it stands, so nothing depends on how numbers or strings are printed.

create or replace function docket.signature_bytes(
  p_place text,
  p_signature_no integer,
  p_source_id text,
  p_judged_at timestamptz,
  p_checked_at timestamptz,
  p_report text
)
returns bytea
language sql
stable
parallel safe
as $$
  select int4send(octet_length(p_place)) || convert_to(p_place, 'UTF8')
    || int4send(p_signature_no)
    || int4send(octet_length(p_source_id)) || convert_to(p_source_id, 'UTF8')
    || timestamptz_send(p_judged_at)
    || timestamptz_send(p_checked_at)
    || int4send(octet_length(p_report)) || convert_to(p_report, 'UTF8')
$$;
comment on function docket.signature_bytes(text, integer, text, timestamptz, timestamptz, text) is
  'The bytes of one signature as a check found it; format in docs/audit-log.md.';

-- Salted, so that nobody who sees only the log can guess who signed, once the salt was destroyed with the document.
create or replace function docket.salted_signatures_hash(
  p_salt bytea,
  p_delivery_id bigint,
  p_signatures bytea
)
returns bytea
language sql
immutable
parallel safe
as $$
  select sha256(
    p_salt || decode('646f636b65742e7369676e6174757265732e310a', 'hex') || int8send(p_delivery_id) || p_signatures
  )
$$;
comment on function docket.salted_signatures_hash(bytea, bigint, bytea) is
  'Salted hash, 32 bytes, of the bytes of all signatures that a check of a delivery found; format in docs/audit-log.md.';
