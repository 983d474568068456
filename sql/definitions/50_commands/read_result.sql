-- A result as a worker brings it, taken apart once: what it says, its pages in order, what is derived of them, and its salted hash; no
-- row when the shape is wrong or the job was never verified. Without settings of its own, so that it is inlined; each
-- "offset 0" keeps what is used several times from being computed several times.
-- Called by: store_results, reading_differences. Not granted to anyone.
create or replace function docket.read_result(
  p_job_id uuid,
  p_config_sha256 bytea,
  p_result json
)
returns table (
  result_sha256 bytea,
  pages_declared integer,
  pages_decoded integer,
  warnings text[],
  page_count integer,
  characters integer,
  confidence real,
  pages docket.brought_page[],
  rule_set_id integer,
  redacted json
)
language sql
stable
as $$
  select
    docket.result_hash(
      h.salt, h.sha256, p_config_sha256, h.pages_declared, h.pages_decoded, h.warnings, h.page_count, h.bytes
    ),
    h.pages_declared, h.pages_decoded, h.warnings, h.page_count, h.characters, h.confidence, h.pages, h.rule_set_id, h.redacted
  from (
    select s.salt, e.sha256, r.pages_declared, r.pages_decoded, pages.*, d.rule_set_id, d.pages as redacted,
      case
        when json_array_length(r.warnings) = 0 then '{}'
        else array(select json_array_elements_text(r.warnings))
      end as warnings
    from docket.evidence e
    join docket.job_salts s on s.job_id = e.job_id
    cross join lateral json_to_record(p_result) as r (
      pages_declared integer, pages_decoded integer, warnings json, pages json, redaction json
    )
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
        array_agg(p order by p.page_no) as pages,
        coalesce(sum(length(regexp_replace(p.text, '\s', '', 'g'))), 0)::integer as characters,
        coalesce(avg(p.confidence) filter (where p.verdict = 'text'), 0)::real as confidence,
        coalesce(
          bool_and((json_typeof(p.words) = 'array' and p.text is not null) is true)
            and min(p.page_no) = 1
            and max(p.page_no) = count(*),
          true
        ) as is_whole
      from json_populate_recordset(null::docket.brought_page, r.pages) as p
    ) as pages
    left join lateral json_to_record(r.redaction) as d (rule_set_id integer, pages json) on true
    where e.job_id = p_job_id
      and pages.is_whole
      and json_typeof(r.pages) = 'array'
      and json_typeof(r.warnings) = 'array'
      and octet_length(p_config_sha256) = 32
    offset 0
  ) as h
  offset 0
$$;
comment on function docket.read_result(uuid, bytea, json) is
  'A result as brought by a worker, with its salted hash; no row when it is malformed or the job was never verified.';
