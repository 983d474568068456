-- The hash of one audit event: SHA-256 over 0x00 and the entry. Byte format: docs/audit-log.md.
-- STABLE, not immutable, so that it inlines (convert_to is stable). A length of -1 stands for null.
create or replace function docket_audit.event_hash(
  p_job_id uuid,
  p_seq integer,
  p_from_state text,
  p_event text,
  p_to_state text,
  p_at timestamptz,
  p_actor text,
  p_reason text,
  p_code text,
  p_attempt integer,
  p_detail text,
  p_prev bytea
)
returns bytea
language sql
stable
parallel safe
as $$
  select sha256(
    decode('00646f636b65742e6576656e742e310a', 'hex')
    || uuid_send(p_job_id)
    || int4send(p_seq)
    || int4send(octet_length(p_from_state)) || convert_to(p_from_state, 'UTF8')
    || int4send(octet_length(p_event)) || convert_to(p_event, 'UTF8')
    || int4send(octet_length(p_to_state)) || convert_to(p_to_state, 'UTF8')
    || timestamptz_send(p_at)
    || int4send(octet_length(p_actor)) || convert_to(p_actor, 'UTF8')
    || int4send(octet_length(p_reason)) || convert_to(p_reason, 'UTF8')
    || coalesce(int4send(octet_length(p_code)) || convert_to(p_code, 'UTF8'), int4send(-1))
    || int4send(coalesce(p_attempt, -1))
    || int4send(octet_length(p_detail)) || convert_to(p_detail, 'UTF8')
    || coalesce(int4send(octet_length(p_prev)) || p_prev, int4send(-1))
  )
$$;
comment on function docket_audit.event_hash(
  uuid, integer, text, text, text, timestamptz, text, text, text, integer, text, bytea
) is 'Hash of one audit event, 32 bytes; format in docs/audit-log.md. The database must be encoded in UTF8.';
