-- The salted hash of a result as a worker brings it; no row when the shape is wrong or the job was
-- never verified. Without settings of its own, so that it is inlined.
-- Called by: record_results. Not granted to anyone.
create or replace function docket.hash_of_result(
  p_job_id uuid,
  p_config_sha256 bytea,
  p_result json
)
returns table (result_sha256 bytea)
language sql
stable
as $$
  select docket.result_hash(
    s.salt, e.sha256, p_config_sha256, r.pages_declared, r.pages_decoded, array(select json_array_elements_text(r.warnings)),
    pages.page_count, pages.bytes
  )
  from docket.evidence e
  join docket.job_salts s on s.job_id = e.job_id
  -- the JSON of a document, and that of each page, is read once and not for every field
  cross join lateral json_to_record(p_result) as r (pages_declared integer, pages_decoded integer, warnings json, pages json)
  cross join lateral (
    select count(*)::integer as page_count,
      coalesce(
        string_agg(
          docket.page_bytes(
            p.page_no, p.width, p.height, p.dpi, p.rotation, p.angle, p.confidence, p.verdict, p.text, p.words
          ),
          ''::bytea
          order by p.page_no
        ),
        ''::bytea
      ) as bytes,
      coalesce(
        bool_and((json_typeof(p.words) = 'array' and p.text is not null) is true)
          and min(p.page_no) = 1
          and max(p.page_no) = count(*),
        true
      ) as is_whole
    from json_to_recordset(r.pages) as p (
      page_no integer, width integer, height integer, dpi real, rotation integer, angle real, verdict text, confidence real,
      text text, words json
    )
  ) as pages
  where e.job_id = p_job_id
    and pages.is_whole
    and json_typeof(r.pages) = 'array'
    and json_typeof(r.warnings) = 'array'
    and octet_length(p_config_sha256) = 32
$$;
comment on function docket.hash_of_result(uuid, bytea, json) is
  'Salted hash of a result as brought by a worker; no row when it is malformed or the job was never verified.';
