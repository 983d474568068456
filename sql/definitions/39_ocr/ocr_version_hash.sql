-- The hash of an OCR configuration, as the event that added it states it. Format: docs/audit-log.md.
-- Called by: add_ocr_version, check_ocr_versions. Not granted to anyone.
create or replace function docket.ocr_version_hash(
  p_version integer,
  p_engine text,
  p_parameters json,
  p_pins json,
  p_gates json
)
returns bytea
language sql
stable
as $$
  select sha256(
    -- "docket.ocr-version.1" and a line break
    decode('646f636b65742e6f63722d76657273696f6e2e310a', 'hex')
    || int4send(p_version)
    || coalesce(int4send(octet_length(p_engine)) || convert_to(p_engine, 'UTF8'), int4send(-1))
    || int4send(octet_length(p_parameters::text)) || convert_to(p_parameters::text, 'UTF8')
    || int4send(octet_length(p_pins::text)) || convert_to(p_pins::text, 'UTF8')
    || int4send(octet_length(p_gates::text)) || convert_to(p_gates::text, 'UTF8')
  )
$$;
comment on function docket.ocr_version_hash(integer, text, json, json, json) is
  'SHA-256 of an OCR configuration, 32 bytes; format in docs/audit-log.md.';
