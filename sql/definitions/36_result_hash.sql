-- The salted hash of a result: SHA-256 over the salt of the job and the canonical result. Format: docs/audit-log.md.
-- The JSON text of the words is hashed as it stands, so nothing depends on how numbers or strings are printed.

create or replace function docket.page_bytes(
  p_page_no integer,
  p_width_px integer,
  p_height_px integer,
  p_dpi real,
  p_rotation_degrees integer,
  p_angle_degrees real,
  p_confidence real,
  p_verdict text,
  p_text text,
  p_words json
)
returns bytea
language sql
stable
parallel safe
as $$
  select int4send(p_page_no)
    || int4send(p_width_px)
    || int4send(p_height_px)
    || float4send(p_dpi)
    || int4send(p_rotation_degrees)
    || float4send(p_angle_degrees)
    || float4send(p_confidence)
    || int4send(octet_length(p_verdict)) || convert_to(p_verdict, 'UTF8')
    || int4send(octet_length(p_text)) || convert_to(p_text, 'UTF8')
    || int4send(octet_length(p_words::text)) || convert_to(p_words::text, 'UTF8')
$$;
comment on function docket.page_bytes(integer, integer, integer, real, integer, real, real, text, text, json) is
  'Canonical bytes of one page of a result; format in docs/audit-log.md.';

create or replace function docket.result_bytes(
  p_salt bytea,
  p_sha256 bytea,
  p_config_sha256 bytea,
  p_pages_declared integer,
  p_pages_decoded integer,
  p_warnings text[],
  p_page_count integer,
  p_pages bytea
)
returns bytea
language sql
stable
parallel safe
as $$
  select p_salt
    || decode('646f636b65742e726573756c742e310a', 'hex')
    || p_sha256
    || p_config_sha256
    || int4send(p_pages_declared)
    || int4send(p_pages_decoded)
    || int4send(cardinality(p_warnings))
    || (
      select coalesce(
        string_agg(int4send(octet_length(w.warning)) || convert_to(w.warning, 'UTF8'), ''::bytea order by w.place), ''::bytea
      )
      from unnest(p_warnings) with ordinality as w (warning, place)
    )
    || int4send(p_page_count)
    || p_pages
$$;
comment on function docket.result_bytes(bytea, bytea, bytea, integer, integer, text[], integer, bytea) is
  'The bytes of which the salted hash of a result is made: its head and the bytes of its pages in order; format in docs/audit-log.md.';

create or replace function docket.result_hash(
  p_salt bytea,
  p_sha256 bytea,
  p_config_sha256 bytea,
  p_pages_declared integer,
  p_pages_decoded integer,
  p_warnings text[],
  p_page_count integer,
  p_pages bytea
)
returns bytea
language sql
stable
parallel safe
as $$
  select sha256(
    docket.result_bytes(
      p_salt, p_sha256, p_config_sha256, p_pages_declared, p_pages_decoded, p_warnings, p_page_count, p_pages
    )
  )
$$;
comment on function docket.result_hash(bytea, bytea, bytea, integer, integer, text[], integer, bytea) is
  'Salted hash of a result, 32 bytes, over its head and the bytes of its pages in order; format in docs/audit-log.md.';
