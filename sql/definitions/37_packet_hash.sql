-- The hash of an evidence packet: what the sender stated, and when it was received. Format: docs/audit-log.md.
create or replace function docket.packet_hash(
  p_sha256 bytea,
  p_size_bytes bigint,
  p_media_type text,
  p_locator text,
  p_version text,
  p_source_id text,
  p_document_kind text,
  p_captured_at timestamptz,
  p_received_at timestamptz,
  p_document_date date,
  p_signer json,
  p_envelope bytea
)
returns bytea
language sql
stable
parallel safe
as $$
  select sha256(
    decode('646f636b65742e7061636b65742e310a', 'hex')
    || p_sha256
    || int8send(p_size_bytes)
    || int4send(octet_length(p_media_type)) || convert_to(p_media_type, 'UTF8')
    || int4send(octet_length(p_locator)) || convert_to(p_locator, 'UTF8')
    || coalesce(int4send(octet_length(p_version)) || convert_to(p_version, 'UTF8'), int4send(-1))
    || int4send(octet_length(p_source_id)) || convert_to(p_source_id, 'UTF8')
    || int4send(octet_length(p_document_kind)) || convert_to(p_document_kind, 'UTF8')
    || timestamptz_send(p_captured_at)
    || timestamptz_send(p_received_at)
    || coalesce(int4send(4) || date_send(p_document_date), int4send(-1))
    || int4send(octet_length(p_signer::text)) || convert_to(p_signer::text, 'UTF8')
    || coalesce(int4send(octet_length(p_envelope)) || p_envelope, int4send(-1))
  )
$$;
comment on function docket.packet_hash(
  bytea, bigint, text, text, text, text, text, timestamptz, timestamptz, date, json, bytea
) is 'Hash of an evidence packet as stated and received, 32 bytes; format in docs/audit-log.md.';
