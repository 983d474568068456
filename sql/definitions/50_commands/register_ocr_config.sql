-- Registers an OCR configuration under the hash of its text. Registering it again changes nothing.
-- Called by: the worker at its start.
create or replace function docket.register_ocr_config(
  p_engine text,
  p_config json
)
returns table (config_sha256 bytea)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  config_sha256 := sha256(convert_to(p_config::text, 'UTF8'));
  insert into docket.ocr_configs (config_sha256, engine, config)
  values (config_sha256, p_engine, p_config)
  on conflict (config_sha256) do nothing;
  return next;
end;
$$;
comment on function docket.register_ocr_config(text, json) is
  'Registers an OCR configuration; returns the SHA-256 of its text.';
