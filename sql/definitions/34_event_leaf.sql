-- The bytes of which the hash of an audit event is made: 0x00 and the entry. Byte format: docs/audit-log.md.
-- All lengths come first, so that the texts are converted in one go, which is what costs. A length of -1 stands for null.
-- STABLE, not immutable, so that it inlines (convert_to is stable).
create or replace function docket_audit.event_leaf(
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
  select decode('00646f636b65742e6576656e742e310a', 'hex')
    || uuid_send(p_job_id)
    || int4send(p_seq)
    || timestamptz_send(p_at)
    || int4send(coalesce(p_attempt, -1))
    || int4send(octet_length(p_from_state))
    || int4send(octet_length(p_event))
    || int4send(octet_length(p_to_state))
    || int4send(octet_length(p_actor))
    || int4send(octet_length(p_reason))
    || int4send(coalesce(octet_length(p_code), -1))
    || int4send(octet_length(p_detail))
    || int4send(coalesce(octet_length(p_prev), -1))
    || convert_to(
      p_from_state || p_event || p_to_state || p_actor || p_reason || coalesce(p_code, '') || p_detail, 'UTF8'
    )
    || coalesce(p_prev, decode('', 'hex'))
$$;
comment on function docket_audit.event_leaf(
  uuid, integer, text, text, text, timestamptz, text, text, text, integer, text, bytea
) is 'The bytes of which the hash of an audit event is made; format in docs/audit-log.md. The database must be encoded in UTF8.';
