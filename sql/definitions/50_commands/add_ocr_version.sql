-- Adds an OCR configuration: what differs from what Docket comes with. Nothing is read by it before it was tried and activated.
-- p_engine: the engine that it is for; null: whichever a worker has. p_parameters: parameters that differ, in groups. p_pins: what the
-- engine must say of itself (texts by name). p_gates: gates that differ from those of the kinds of documents:
-- {"bill_of_lading": {"min_characters": 100, "min_confidence": 55}}.
-- Called by: operators. Effects: ocr_versions; event ocr_version_added in the chain of the log, with the hash of what was added.
-- Errors: ZD005 · ZD021 · ZD081 it is not of the documented shape.
create or replace function docket.add_ocr_version(
  p_engine text,
  p_parameters json,
  p_pins json,
  p_gates json,
  p_reason text
)
returns table (ocr_version integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_parameters jsonb;
  v_pins jsonb;
  v_gates jsonb;
  v_problem text;
  v_added docket.ocr_versions;
begin
  -- check
  perform docket.require_reason(p_reason, 'an OCR configuration');
  begin
    v_parameters := coalesce(p_parameters::jsonb, '{}');
    v_pins := coalesce(p_pins::jsonb, '{}');
    v_gates := coalesce(p_gates::jsonb, '{}');
    v_problem := docket.ocr_version_problem(p_engine, v_parameters, v_pins, v_gates);
  exception
    when data_exception then
      v_problem := left(sqlerrm, 200);
  end;

  -- record: as jsonb puts it, so that no name stands twice in it
  if v_problem is null then
    begin
      insert into docket.ocr_versions (engine, parameters, pins, gates, reason, added_by)
      values (p_engine, v_parameters::text::json, v_pins::text::json, v_gates::text::json, p_reason, docket.actor())
      returning * into v_added;
    exception
      when check_violation then
        v_problem := 'parameters and gates are of at most 16384 bytes each, pins of 4096';
    end;
  end if;
  if v_problem is not null then
    raise exception '%', v_problem
      using errcode = 'ZD081', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD081');
  end if;
  perform docket.record_log_event(
    'ocr_version_added',
    p_reason,
    json_build_object(
      'ocr_version', v_added.ocr_version, 'engine', v_added.engine, 'ocr_version_sha256',
      encode(
        docket.ocr_version_hash(v_added.ocr_version, v_added.engine, v_added.parameters, v_added.pins, v_added.gates), 'hex'
      )
    )
  );
  return query select v_added.ocr_version;
end;
$$;
comment on function docket.add_ocr_version(text, json, json, json, text) is
  'Adds an OCR configuration, by which nothing is read yet; its number. Raises ZD005, ZD021, ZD081.';
