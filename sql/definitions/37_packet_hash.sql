-- The hash of an evidence packet: what the sender stated, and when it was received. Format: docs/audit-log.md.
create or replace function docket.packet_bytes(
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
  p_envelope bytea,
  p_scan_number bigint
)
returns bytea
language sql
stable
parallel safe
as $$
  select p_sha256
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
  -- only where it is stated: packets without a number have the hash that they always had
  || coalesce(int4send(8) || int8send(p_scan_number), '')
$$;
comment on function docket.packet_bytes(
  bytea, bigint, text, text, text, text, text, timestamptz, timestamptz, date, json, bytea, bigint
) is 'The bytes of an evidence packet as stated and received; format in docs/audit-log.md.';

-- Salted, so that nobody who sees only the log can guess who signed by trying likely names, once the packet was disposed of with
-- its salt.
create or replace function docket.salted_packet_hash(
  p_salt bytea,
  p_packet bytea
)
returns bytea
language sql
immutable
parallel safe
as $$
  select sha256(p_salt || decode('646f636b65742e7061636b65742e320a', 'hex') || p_packet)
$$;
comment on function docket.salted_packet_hash(bytea, bytea) is
  'Salted hash of the bytes of an evidence packet, 32 bytes; format in docs/audit-log.md.';

create or replace function docket.packet_is_proven(
  p_detail json,
  p_salt bytea,
  p_packet bytea
)
returns boolean
language sql
immutable
parallel safe
as $$
  select case
    when p_detail ->> 'salted_packet_sha256' is not null
      then encode(docket.salted_packet_hash(p_salt, p_packet), 'hex') = p_detail ->> 'salted_packet_sha256'
    -- events before packets were salted
    else encode(sha256(decode('646f636b65742e7061636b65742e310a', 'hex') || p_packet), 'hex') = p_detail ->> 'packet_sha256'
  end is true
$$;
comment on function docket.packet_is_proven(json, bytea, bytea) is
  'Whether the detail of an event names the hash of the bytes of a packet, salted or as it was before.';
