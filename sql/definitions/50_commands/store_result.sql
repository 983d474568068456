-- Writes one result and its pages.
-- Called by: record_results, which knows that the result is new. Not granted to anyone.
create or replace function docket.store_result(
  p_job_id uuid,
  p_attempt integer,
  p_config_sha256 bytea,
  p_result_sha256 bytea,
  p_result json
)
returns void
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into docket.results
    (job_id, result_sha256, config_sha256, attempt, pages_declared, pages_decoded, page_count, characters, confidence,
     warnings, recorded_at)
  select p_job_id, p_result_sha256, p_config_sha256, p_attempt,
    (p_result ->> 'pages_declared')::integer,
    (p_result ->> 'pages_decoded')::integer,
    count(p.page)::integer,
    coalesce(sum(length(regexp_replace(p.page ->> 'text', '\s', '', 'g'))), 0)::integer,
    coalesce(avg((p.page ->> 'confidence')::real) filter (where p.page ->> 'verdict' = 'text'), 0)::real,
    array(select json_array_elements_text(p_result -> 'warnings')),
    clock_timestamp()
  from json_array_elements(p_result -> 'pages') as p (page);

  insert into docket.pages
    (job_id, result_sha256, page_no, width_px, height_px, dpi, rotation_degrees, angle_degrees, verdict, confidence, text,
     words)
  select p_job_id, p_result_sha256,
    (p.page ->> 'page_no')::integer,
    (p.page ->> 'width')::integer,
    (p.page ->> 'height')::integer,
    (p.page ->> 'dpi')::real,
    (p.page ->> 'rotation')::integer,
    (p.page ->> 'angle')::real,
    p.page ->> 'verdict',
    (p.page ->> 'confidence')::real,
    p.page ->> 'text',
    p.page -> 'words'
  from json_array_elements(p_result -> 'pages') as p (page);
$$;
comment on function docket.store_result(uuid, integer, bytea, bytea, json) is 'Writes one result and its pages.';
