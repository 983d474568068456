-- Writes results and their pages: those of attempts under way that are not stored yet. Where a result brings along what the
-- active redaction rules made of all of its pages, that is written too; else it is made later.
-- Called by: record_results, with the jobs locked. Not granted to anyone.
create or replace function docket.store_results(p_brought docket.brought_result[])
returns void
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into docket.results
    (job_id, result_sha256, config_sha256, attempt, pages_declared, pages_decoded, page_count, characters, confidence,
     warnings, recorded_at)
  select b.job_id, b.result_sha256, b.config_sha256, b.attempt, r.pages_declared, r.pages_decoded, pages.page_count,
    pages.characters, pages.confidence, array(select json_array_elements_text(r.warnings)), clock_timestamp()
  from unnest(p_brought) as b
  cross join lateral json_to_record(b.result) as r (pages_declared integer, pages_decoded integer, warnings json, pages json)
  cross join lateral (
    select count(*)::integer as page_count,
      coalesce(sum(length(regexp_replace(p.text, '\s', '', 'g'))), 0)::integer as characters,
      coalesce(avg(p.confidence) filter (where p.verdict = 'text'), 0)::real as confidence
    from json_to_recordset(r.pages) as p (verdict text, confidence real, text text)
  ) as pages
  where b.is_held and not b.is_known;

  insert into docket.pages
    (job_id, result_sha256, page_no, width_px, height_px, dpi, rotation_degrees, angle_degrees, verdict, confidence, text,
     words)
  select b.job_id, b.result_sha256, p.page_no, p.width, p.height, p.dpi, p.rotation, p.angle, p.verdict, p.confidence, p.text,
    p.words
  from unnest(p_brought) as b
  cross join lateral json_to_recordset(b.result -> 'pages') as p (
    page_no integer, width integer, height integer, dpi real, rotation integer, angle real, verdict text, confidence real,
    text text, words json
  )
  where b.is_held and not b.is_known;

  -- apart, so that the JSON of a document is taken apart once and not for every page of it
  with brought as materialized (
    select b.job_id, b.attempt, r.pages, d.pages as redacted, d.rule_set_id
    from unnest(p_brought) as b
    cross join lateral json_to_record(b.result) as r (pages json, redaction json)
    cross join lateral json_to_record(r.redaction) as d (rule_set_id integer, pages json)
    where b.is_held and not b.is_known
  ),
  pages as materialized (
    select b.job_id, b.attempt, s.rule_set_id, p.*
    from brought b
    join docket.rule_sets s on s.rule_set_id = b.rule_set_id
    cross join lateral json_to_recordset(b.pages) as p (
      page_no integer, width integer, height integer, dpi real, rotation integer, angle real, verdict text, confidence real
    )
  ),
  brought_along as materialized (
    select b.job_id, b.attempt, r.*
    from brought b
    cross join lateral json_to_recordset(b.redacted) as r (page_no integer, text text, words json, masks json)
  ),
  redacted as materialized (
    select p.*, r.text, r.words, r.masks, r.page_no is not null as is_redacted
    from pages p
    left join brought_along r on r.job_id = p.job_id and r.attempt = p.attempt and r.page_no = p.page_no
  ),
  complete as (
    insert into docket.redactions (rule_set_id, job_id, attempt, page_count, mask_count, redacted_at)
    select r.rule_set_id, r.job_id, r.attempt, count(*), sum(json_array_length(r.masks)), clock_timestamp()
    from redacted r
    group by r.rule_set_id, r.job_id, r.attempt
    having bool_and(r.is_redacted)
    on conflict do nothing
    returning rule_set_id, job_id, attempt
  )
  insert into docket.redacted_pages
    (rule_set_id, job_id, attempt, page_no, width_px, height_px, dpi, rotation_degrees, angle_degrees, verdict, confidence, text,
     words, masks)
  select c.rule_set_id, c.job_id, c.attempt, r.page_no, r.width, r.height, r.dpi, r.rotation, r.angle, r.verdict, r.confidence,
    r.text, r.words, r.masks
  from complete c
  join redacted r on r.job_id = c.job_id and r.attempt = c.attempt and r.rule_set_id = c.rule_set_id;
$$;
comment on function docket.store_results(docket.brought_result[]) is
  'Writes the results and pages that are not stored yet.';
